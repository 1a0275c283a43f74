import { type ReactNode, useId } from 'react';

/** A titled part of a page. */
export const Section = ({
  title,
  hint,
  actions,
  children,
}: {
  title: string;
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="card part" aria-labelledby={id}>
      <header className="cardhead">
        <h2 id={id} className="grow">
          {title}
        </h2>
        {actions}
      </header>
      <div className="partbody">
        {hint !== undefined && <p className="soft">{hint}</p>}
        {children}
      </div>
    </section>
  );
};
