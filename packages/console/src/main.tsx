import './tokens.css';
import './base.css';
import './console.css';
import './editor.css';
import './admin.css';
import './form.css';
import './run.css';
import './chat.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { Gate } from './app/gate';
import { reloadOnMissingChunk } from './app/reload';
import { Toasts } from './ui/overlays/toast';

reloadOnMissingChunk();

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <Gate />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
