// The arguments of tools: agents see their schema, and wrong ones are results that name what is wrong.
import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { adviceOn } from './advice.ts';
import { ISSUES_MAX, refusal } from './results.ts';

type Arguments = Record<string, unknown>;

/** A schema that agents see, and that lets everything pass: the library would refuse a call in its own words. */
export function shown(schema: object): StandardSchemaWithJSON<Arguments, Arguments> {
  const json = () => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'run-service',
      jsonSchema: { input: json, output: json },
      validate: (value) => ({ value: { ...Object(value) } }),
    },
  };
}

/** The JSON schema of a tool's arguments, without what says nothing: agents pay for each character. */
export function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema, ...own } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.enum) delete jsonSchema.type;
      // What a call has besides is refused by name.
      delete jsonSchema.additionalProperties;
    },
  });
  return own;
}

const NAME_MAX_CHARACTERS = 200;
const short = (text: string) => text.slice(0, NAME_MAX_CHARACTERS);

/** The result for arguments that do not have the shape of the tool. */
export function wrongArguments({ issues }: z.ZodError): CallToolResult {
  const faults = issues.slice(0, ISSUES_MAX).map((issue) => {
    const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const path = unknown === undefined ? issue.path : [...issue.path, unknown];
    return {
      param: short(path.join('.')),
      message: unknown === undefined ? short(issue.message) : 'There is no such argument.',
    };
  });
  const [first] = faults;
  const code = 'schema_validation_failed';
  const message = `Wrong arguments: ${first?.param} – ${first?.message}`;
  return refusal({ code, message, param: first?.param, details: { issues: faults }, advice: adviceOn(code) });
}
