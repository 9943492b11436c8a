// A voice note: a recording of the microphone as a WAV file.

/** Samples per second, sufficient for speech. */
const RATE = 16_000;

/** An active recording. */
export class Voice {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #pieces: Blob[] = [];

  private constructor(stream: MediaStream) {
    this.#stream = stream;
    this.#recorder = new MediaRecorder(stream);
    this.#recorder.addEventListener("dataavailable", ({ data }) => this.#pieces.push(data));
    this.#recorder.start();
  }

  /** Requests the microphone, and starts the recording. */
  static async begin(): Promise<Voice> {
    return new Voice(await navigator.mediaDevices.getUserMedia({ audio: true }));
  }

  /** Ends the recording, and returns it: WAV, one channel. */
  async end(): Promise<Blob> {
    const stopped = new Promise((resolve) =>
      this.#recorder.addEventListener("stop", resolve, { once: true }),
    );
    this.#recorder.stop();
    await stopped;
    this.#stream.getTracks().forEach((track) => track.stop());
    // Decoding resamples to the context's rate.
    const context = new OfflineAudioContext(1, 1, RATE);
    const sound = await context.decodeAudioData(await new Blob(this.#pieces).arrayBuffer());
    return wavOf(sound.getChannelData(0));
  }
}

/** Encodes samples from -1 to 1 as a WAV file of 16 bits. */
function wavOf(samples: Float32Array): Blob {
  const head = new DataView(new ArrayBuffer(44));
  const text = (at: number, word: string): void =>
    [...word].forEach((one, offset) => head.setUint8(at + offset, one.charCodeAt(0)));
  const bytes = samples.length * 2;
  text(0, "RIFF");
  head.setUint32(4, 36 + bytes, true);
  text(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  // PCM, one channel, bytes per second, bytes per sample, bits.
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, RATE, true);
  head.setUint32(28, RATE * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  text(36, "data");
  head.setUint32(40, bytes, true);
  const body = new DataView(new ArrayBuffer(bytes));
  samples.forEach((sample, at) =>
    body.setInt16(at * 2, Math.max(-1, Math.min(1, sample)) * 0x7fff, true),
  );
  return new Blob([head, body], { type: "audio/wav" });
}
