// Plain JSON values, and accessors whose errors name the location of a wrong one.
import { SetupError } from './setup-error.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** True for `{…}`; false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object, `{}` for an absent one. Throws SetupError naming `where` for anything else. */
export function objectAt(value: Json | undefined, where: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new SetupError(`${where}: expected an object`);
}

/** Returns the list, `[]` for an absent one. Throws SetupError naming `where` for anything else. */
export function listAt(value: Json | undefined, where: string): Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new SetupError(`${where}: expected a list`);
}

/** Returns the string. Throws SetupError naming `where` for anything else. */
export function stringAt(value: Json | undefined, where: string): string {
  if (typeof value === 'string') return value;
  throw new SetupError(`${where}: expected a string`);
}

/** Returns the string, or undefined for anything else. */
export function optionalString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the number (templates also write numbers as strings), or `fallback` when absent. Throws SetupError else. */
export function numberAt(value: Json | undefined, fallback: number, where: string): number {
  if (value === undefined) return fallback;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new SetupError(`${where}: expected a number`);
}

/** Parses JSON text that must be one object. Throws SetupError naming `where`. */
export function parseObject(text: string, where: string): JsonObject {
  try {
    return objectAt(JSON.parse(text), where);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${where}: not valid JSON`);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
