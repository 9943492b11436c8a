// The sections of one home: a section that fails is reported and omitted, the others continue.

export class Sections {
  /** Results by section. */
  results = {};
  failures = [];
  #home;
  #say;

  /** @param say prints one line of progress */
  constructor(home, say) {
    this.#home = home;
    this.#say = say;
  }

  /** Adds the result of `work`; a list under `name` if it is called several times with `many`. */
  async run(name, title, work, { many = false } = {}) {
    this.#say(`${this.#home}: ${title}`);
    try {
      const result = await work();
      if (many) (this.results[name] ??= []).push(result);
      else this.results[name] = result;
    } catch (error) {
      this.failures.push({ section: title, message: error.message });
      this.#say(`${this.#home}: ${title} FAILED: ${error.message}`);
    }
  }
}
