// Reads `${field}` and `${env:NAME}` in a text of the operator's file of MCP servers.

/** Fixed text and the fields between it. Fields are in lower case. */
export type Template = readonly (string | { field: string })[];

export interface TemplateReader {
  read(place: string, text: string): Template;
  /** For a text in which fields would let a person choose what runs. */
  readFixed(place: string, text: string): string;
  /** The fields that were read, each once. */
  fields(): string[];
  /** The values of the environment that were read, each once. */
  secrets(): string[];
}

type Say = (sentence: string) => void;

const FIELD = /^[a-zA-Z0-9_]{1,32}$/;
/** What the gateway keeps to itself. A server that needs such a value gets it under a name of its own. */
const GATEWAYS_OWN =
  /^(SESSION_SECRET|ENCRYPTION_KEY(_PREVIOUS)?|AUDIT_SIGNING_KEY|VAULT_TOKEN|VAULT_SECRET_ID|AUDIT_HEADS|AUDIT_PUSH(_TOKEN)?|DATABASE_URL|PENDING_STORE|S3_(SECRET_)?ACCESS_KEY(_ID)?|METRICS_TOKEN|SCIM_TOKEN|BROWSER_URL|.*_CLIENT_SECRET|.*_INSTANCES)$/;

export function createTemplateReader(
  env: Readonly<Record<string, string | undefined>>,
  complain: Say,
  warn: Say,
): TemplateReader {
  const fields = new Set<string>();
  const secrets = new Set<string>();

  function read(place: string, text: string): Template {
    const parts: (string | { field: string })[] = [];
    // The split with a group puts what is between braces at odd positions. What is put in is not read again.
    for (const [index, part] of text.split(/\$\{([^{}]*)\}/).entries()) {
      if (index % 2 === 0) parts.push(part);
      else if (part.startsWith('env:')) parts.push(fromEnvironment(place, part.slice('env:'.length)));
      else if (FIELD.test(part)) parts.push(toField(part));
      else
        complain(
          `"${place}" must use \${field} for a value of each person (up to 32 letters, digits and _) or \${env:NAME} for a variable`,
        );
    }
    if (parts.some((part) => typeof part === 'string' && part.includes('\0')))
      complain(`"${place}" must not contain the character NUL`);
    return parts.filter((part) => part !== '');
  }

  function toField(name: string): { field: string } {
    const field = name.toLowerCase();
    if ((env[name] ?? '') !== '' && !fields.has(field))
      warn(`\${${name}} asks each person for a value; write \${env:${name}} for the variable ${name}`);
    fields.add(field);
    return { field };
  }

  function fromEnvironment(place: string, name: string): string {
    const value = env[name] ?? '';
    if (GATEWAYS_OWN.test(name))
      complain(
        `"${place}" must not use ${name}, which belongs to the gateway; set another variable for the server`,
      );
    else if (value === '')
      complain(`"${place}" uses the variable ${JSON.stringify(name)}, which is not set; set it or remove it`);
    else secrets.add(value);
    return value;
  }

  return {
    read,
    readFixed(place, text) {
      const template = read(place, text);
      if (fieldsOf([template]).length > 0)
        complain(`"${place}" must be the same for everybody; use \${field} in "args", "env" or "headers"`);
      return template.filter((part) => typeof part === 'string').join('');
    },
    fields: () => [...fields],
    secrets: () => [...secrets],
  };
}

export function fieldsOf(templates: readonly Template[]): string[] {
  return templates.flat().flatMap((part) => (typeof part === 'string' ? [] : [part.field]));
}
