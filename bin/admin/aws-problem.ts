// What is wrong when AWS cannot be asked, in words that say what to do.
import { CliError } from './cli-error.ts';

const NO_CREDENTIALS = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'SignatureDoesNotMatch',
]);
const NO_CONNECTION = ['ENOTFOUND', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN'];

/** The error of a client of AWS, as one of the command line. */
export function awsProblem(error: unknown): CliError {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  if (message === 'Region is missing')
    return new CliError(
      'region_missing',
      'No region: set AWS_REGION, or a region in the profile of AWS_PROFILE.',
    );
  if (NO_CREDENTIALS.has(name))
    return new CliError(
      'credentials_missing',
      `No valid AWS credentials: set AWS_PROFILE, sign in with aws sso login, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. (${message})`,
    );
  const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NO_CONNECTION.includes(cause) || name === 'TimeoutError')
    return new CliError('aws_unreachable', `AWS does not answer: ${message}`);
  return new CliError('aws_error', `${name}: ${message}`);
}
