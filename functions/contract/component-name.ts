// Names of schemas in the OpenAPI document.

/** The schema name of a step kind, event type or the like: `inject_context` and `Step` give `InjectContextStep`. */
export function componentName(name: string, suffix: string): string {
  return name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase()) + suffix;
}
