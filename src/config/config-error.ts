// Lists everything that is wrong with a configuration. It never repeats a value, because some are secrets.
export interface Problem {
  name: string;
  message: string;
}

export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ name, message }) => `  ${name} ${message}`);
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
