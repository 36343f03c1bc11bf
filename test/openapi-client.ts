import { setTimeout as sleep } from 'node:timers/promises';

/** The part of an OpenAPI document that a client uses. */
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  security?: Record<string, string[]>[];
  responses: Record<string, Response>;
}
interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}
type Schema = Record<string, unknown>;
interface SecurityScheme {
  type: 'http' | 'apiKey';
  scheme?: string;
  in?: string;
  name?: string;
}
export interface OpenApiDocument {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, SecurityScheme> };
}

interface Input {
  parameters?: Record<string, string>;
  body?: Record<string, unknown>;
  /** By the name of the scheme. */
  credentials?: Record<string, string>;
}

interface Output {
  status: number;
  contentType: string;
  body: unknown;
  /** The reply of this status and content type, as the document defines it. */
  schema: Schema | undefined;
}

const jsonOrForm = (kind: string, body: Record<string, unknown>): BodyInit => {
  if (kind === 'application/json') return JSON.stringify(body);
  if (kind !== 'multipart/form-data') throw new Error(`A body of the kind ${kind} can't be made.`);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.set(name, value, 'file');
    else form.set(name, String(value));
  }
  return form;
};

const at = (document: object, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);

/** A client that knows only the document: it calls by operationId, as generated ones do. */
export const clientOf = (document: OpenApiDocument) => {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { path, method, operation },
      ]),
    ),
  );

  const authorise = (headers: Headers, operation: Operation, credentials: Record<string, string>): void => {
    if (!operation.security?.length) return;
    const name = operation.security.flatMap(Object.keys).find((one) => credentials[one] !== undefined);
    if (name === undefined) throw new Error(`${operation.operationId} needs credentials.`);
    const scheme = document.components.securitySchemes[name];
    const value = credentials[name] ?? '';
    if (scheme?.type === 'http' && scheme.scheme === 'bearer')
      headers.set('Authorization', `Bearer ${value}`);
    else if (scheme?.type === 'apiKey' && scheme.in === 'header') headers.set(scheme.name ?? '', value);
    else throw new Error(`The security scheme ${name} is not known.`);
  };

  const addressFor = (path: string, parameters: Parameter[], values: Record<string, string>): string => {
    const given = (place: string) => parameters.filter((one) => one.in === place && one.name in values);
    for (const { name, required } of parameters)
      if (required && !(name in values)) throw new Error(`The parameter ${name} is missing.`);
    let filled = path;
    for (const { name } of given('path'))
      filled = filled.replace(`{${name}}`, encodeURIComponent(values[name] ?? ''));
    const query = new URLSearchParams(given('query').map(({ name }) => [name, values[name] ?? '']));
    return `${document.servers[0]?.url}${filled}${query.size > 0 ? `?${query}` : ''}`;
  };

  return async (operationId: string, input: Input = {}): Promise<Output> => {
    const found = operations.get(operationId);
    if (!found) throw new Error(`There is no operation ${operationId}.`);
    const { path, method, operation } = found;
    const { parameters: values = {}, body, credentials = {} } = input;
    const parameters = operation.parameters ?? [];
    const headers = new Headers();
    authorise(headers, operation, credentials);
    for (const { name } of parameters.filter((one) => one.in === 'header' && one.name in values))
      headers.set(name, values[name] ?? '');
    const [kind] = Object.keys(operation.requestBody?.content ?? {});
    if (operation.requestBody?.required && !body) throw new Error(`${operationId} needs a body.`);
    // A form sets its boundary itself.
    if (body && kind && kind !== 'multipart/form-data') headers.set('Content-Type', kind);
    const ask = () =>
      fetch(addressFor(path, parameters, values), {
        method: method.toUpperCase(),
        headers,
        ...(body && kind && { body: jsonOrForm(kind, body) }),
      });
    let answer = await ask();
    // The document says when to come back, and a program of a machine that does other work has to say so at times.
    if (answer.status === 503) {
      await sleep(Number(answer.headers.get('retry-after')) * 1_000);
      answer = await ask();
    }
    const contentType = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const text = await answer.text();
    const told = operation.responses[answer.status] ?? operation.responses.default;
    const response = told?.$ref ? (at(document, told.$ref) as Response) : told;
    return {
      status: answer.status,
      contentType,
      body: contentType === 'application/json' ? JSON.parse(text) : text,
      schema: response?.content?.[contentType]?.schema,
    };
  };
};
