/** The API's page: the OpenAPI document as plain HTML, without a script. */
import { escapeMarkup } from '#shared/escape-markup.ts';
import type { ApiDocument } from './build-document.ts';

/** The part of JSON Schema that our schemas use. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema; description?: string }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** @param stylesheet address of the style sheet */
export function renderApiPage(document: ApiDocument, stylesheet: string): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = (item as Record<string, Operation | undefined>)[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'General');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(document.info.title)}</title>
<link rel="stylesheet" href="${escapeMarkup(stylesheet)}">
</head>
<body>
<main>
<h1>${escapeMarkup(document.info.title)}</h1>
<p>${escapeMarkup(document.info.description ?? '')}</p>
<p><a href="/api/v1/openapi.json">The same as an OpenAPI document</a></p>
<nav aria-label="Calls"><ul>
${operations.map(({ path, method, operation }) => `<li><a href="#${anchorOf(method, path)}"><code>${method.toUpperCase()} ${escapeMarkup(path)}</code></a> ${escapeMarkup(operation.summary ?? '')}</li>`).join('\n')}
</ul></nav>
${[...groups].map(([group, members]) => `<h2>${escapeMarkup(group)}</h2>\n${members.map(renderOperation).join('\n')}`).join('\n')}
<h2>Shapes</h2>
${schemas.map(([name, schema]) => `<section id="shape-${escapeMarkup(name)}"><h3>${escapeMarkup(name)}</h3>${renderDescription(schema.description)}${renderSchema(schema)}</section>`).join('\n')}
</main>
</body>
</html>
`;
}

function renderOperation(entry: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = entry;
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const answers = Object.entries(operation.responses ?? {});
  return `<section id="${anchorOf(method, path)}">
<h3><code>${method.toUpperCase()} ${escapeMarkup(path)}</code></h3>
<p>${escapeMarkup(operation.summary ?? '')}</p>
${renderDescription(operation.description)}
<p>${describeCallers(operation.security ?? [])}</p>
${renderParameters(operation.parameters ?? [])}
${bodies.map(([type, { schema }]) => `<h4>Body, <code>${escapeMarkup(type)}</code></h4>${schema ? renderSchema(schema) : ''}`).join('\n')}
<h4>Answers</h4>
<dl>
${answers.map(([status, answer]) => `<dt>${escapeMarkup(status)}</dt><dd>${escapeMarkup(answer.description ?? '')}${renderContent(answer.content ?? {})}</dd>`).join('\n')}
</dl>
</section>`;
}

/** The document's `security`, in words. */
function describeCallers(security: Record<string, string[]>[]): string {
  if (security.length === 0) return 'Open to anyone.';
  return security.some((choice) => Object.keys(choice).length === 0)
    ? 'With an access token (<code>Authorization: Bearer</code>), or as a visitor identified by a cookie.'
    : 'Needs an access token (<code>Authorization: Bearer</code>).';
}

function renderParameters(parameters: NonNullable<Operation['parameters']>): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `<tr><th scope="row"><code>${escapeMarkup(name)}</code></th><td>${escapeMarkup(place)}${required ? ', required' : ''}</td><td>${schema ? describeType(schema) : ''}</td><td>${escapeMarkup(description ?? schema?.description ?? '')}</td></tr>`,
  );
  return `<table><caption>Parameters</caption><thead><tr><th scope="col">Name</th><th scope="col">Place</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderContent(content: Record<string, { schema?: Schema }>): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        ` <code>${escapeMarkup(type)}</code>${schema ? `: ${describeType(schema)}` : ''}`,
    )
    .join(';');
}

/** An object's fields as a table; anything else on one line. */
function renderSchema(schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return `<p>${describeType(schema)}</p>`;
  const required = new Set(schema.required ?? []);
  const rows = fields.map(
    ([name, field]) =>
      `<tr><th scope="row"><code>${escapeMarkup(name)}</code></th><td>${required.has(name) ? 'always' : 'optional'}</td><td>${describeType(field)}</td><td>${escapeMarkup(field.description ?? '')}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">There</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function describeType(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#shape-${escapeMarkup(name)}">${escapeMarkup(name)}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeMarkup(JSON.stringify(schema.const))}</code>`;
  if (schema.enum)
    return schema.enum.map((value) => `<code>${escapeMarkup(String(value))}</code>`).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(describeType).join(' or ');
  if (schema.allOf) return schema.allOf.map(describeType).join(' with ');
  if (schema.type === 'array' && schema.items) return `list of ${describeType(schema.items)}`;
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(
      ([name, field]) =>
        `<code>${escapeMarkup(name)}</code>${required.has(name) ? '' : ' (optional)'}: ${describeType(field)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  const bounds = [
    schema.format ? `format ${schema.format}` : '',
    schema.minimum === undefined ? '' : `from ${schema.minimum}`,
    // the range of JSON numbers is not a limit of ours
    schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER ? '' : `to ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `up to ${schema.maxLength} characters`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
  return escapeMarkup(bounds.length > 0 ? `${type} (${bounds.join(', ')})` : type);
}

function renderDescription(text: string | undefined): string {
  return text ? `<p>${escapeMarkup(text)}</p>` : '';
}

function anchorOf(method: string, path: string): string {
  return `${method}-${path.replace(/[^A-Za-z0-9]+/g, '-')}`.replace(/-$/, '');
}
