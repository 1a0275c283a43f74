import type { RequestHandler } from 'express';
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { choosesCoding, type Coding } from '../../http/accept-encoding';
import { knownTags } from '../../http/entity-tags';
import type { Part } from '../../openapi/document';

/** Serves the document from memory, without a key, to pages of any origin. */
export const serveDocument = (document: Part): RequestHandler => {
  const body = Buffer.from(JSON.stringify(document));
  const shorter = new Map<Coding, Buffer>();
  const encoded = (coding: Coding): Buffer => {
    const found = shorter.get(coding) ?? (coding === 'gzip' ? gzipSync(body) : brotliCompressSync(body));
    shorter.set(coding, found);
    return found;
  };
  const tag = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return function serveOpenapi(request, response) {
    response.setHeader('etag', `"${tag}"`);
    response.setHeader('cache-control', 'public, no-cache');
    response.setHeader('access-control-allow-origin', '*');
    const { isAny, tags } = knownTags(request.headers);
    if (isAny || tags.includes(tag)) {
      response.writeHead(304).end();
      return;
    }
    const coding = choosesCoding(request.headers['accept-encoding']);
    const sent = coding === undefined ? body : encoded(coding);
    response.setHeader('vary', 'Accept-Encoding');
    if (coding !== undefined) response.setHeader('content-encoding', coding);
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': sent.length })
      .end(sent);
  };
};
