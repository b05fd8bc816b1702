/**
 * Describes a schema's issue as a sentence about the field: zod's own messages ("Too small: expected string to
 * have >=1 characters") address the schema's author. Importing this sets it for the process; a schema with its
 * own message keeps it.
 */
import { config, type core } from 'zod';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const formats: Record<string, string> = {
  uuid: 'an id',
  email: 'an e-mail address',
  url: 'a web address',
  base64: 'base64',
  datetime: 'a date with a time',
  date: 'a date',
};

config({ customError: describeIssue });

/** The first issue of an input, as one sentence that names the field. */
export function describeFirstIssue(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [first] = issues;
  if (!first) return 'The request is not valid for this call.';
  const field = nameOf(first.path);
  return first.message.startsWith(field) || first.path.length === 0
    ? first.message
    : `${field}: ${first.message}`;
}

function nameOf(path: readonly PropertyKey[] | undefined): string {
  return path?.length ? `“${path.map(String).join('.')}”` : 'The request';
}

function describeIssue(issue: core.$ZodRawIssue): string {
  return `${nameOf(issue.path)} ${describeFault(issue)}.`;
}

function describeFault(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return kinds[issue.expected] ? `has to be ${kinds[issue.expected]}` : 'is not valid for this call';
    case 'too_small':
      return describeSize(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return describeSize(issue.origin, 'at most', issue.maximum);
    case 'invalid_value':
      return `has to be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return formats[issue.format] ? `has to be ${formats[issue.format]}` : 'does not have the expected form';
    case 'not_multiple_of':
      return `has to be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has ${issue.keys.map((key) => `“${key}”`).join(', ')}, which this call does not accept`;
    default:
      return 'is not valid for this call';
  }
}

function describeSize(origin: string, bound: 'at least' | 'at most', limit: number | bigint | Date): string {
  const isLow = bound === 'at least';
  if (isLow && Number(limit) === 1 && (origin === 'string' || origin === 'array')) return 'is empty';
  const figure = typeof limit === 'object' ? limit.toISOString() : limit.toLocaleString('en-GB');
  const units: Record<string, string> = { string: 'characters', array: 'entries', set: 'entries' };
  const unit = units[origin];
  if (unit)
    return `is too ${isLow ? 'short' : 'long'}: it ${isLow ? 'needs' : 'may have'} ${bound} ${figure} ${unit}`;
  return `has to be ${bound} ${figure}`;
}
