// The sections of one home: a section that fails is said and left out, the others go on.

export class Sections {
  /** Results by section. */
  results = {};
  failures = [];
  #home;
  #say;

  /** `say` takes one line of progress. */
  constructor(home, say) {
    this.#home = home;
    this.#say = say;
  }

  /** Adds what `work` resolves to; a list under `name` if it is called several times with `many`. */
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
