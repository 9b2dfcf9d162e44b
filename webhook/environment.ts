/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Says every fault of the environment at once, one a line. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The environment has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.join("\n")}`);
    this.name = "SettingsError";
    this.faults = faults;
  }
}

/** Reads variables and collects what is wrong with them. */
export class EnvironmentReader {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The variable's value, checked by `good`; a value that is not good, or is missing without a default, is a fault. */
  text(name: string, fallback: string | undefined, what: string, good: (value: string) => boolean): string {
    const value = this.#environment[name] || fallback;
    if (value === undefined) this.faults.push(`${name} is not set; it must be ${what}.`);
    else if (!good(value)) this.faults.push(`${name} is ${JSON.stringify(value)}; it must be ${what}.`);
    return value ?? "";
  }

  /** The same of a whole number. */
  integer(name: string, fallback: number | undefined, lowest: number, highest: number): number {
    const inRange = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= lowest && Number(value) <= highest;
    return Number(this.text(name, fallback?.toString(), `a whole number from ${lowest} to ${highest}`, inRange));
  }

  /** @throws SettingsError where anything was wrong */
  end(): void {
    if (this.faults.length > 0) throw new SettingsError(this.faults);
  }
}
