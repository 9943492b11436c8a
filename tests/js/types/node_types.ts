// `createServer` as declared by Node, whose requests and responses have more properties.

interface IncomingMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: string[];
  readonly complete: boolean;
  readonly readableDidRead: boolean;
  readonly aborted: boolean;
  on(event: "data", listener: (chunk: unknown) => void): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  pause(): this;
  resume(): this;
  destroy(error?: Error): this;
}

interface ServerResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  setHeader(name: string, value: number | string | readonly string[]): this;
  flushHeaders(): void;
  write(chunk: unknown, callback?: (error: Error | null | undefined) => void): boolean;
  write(
    chunk: unknown,
    encoding: string,
    callback?: (error: Error | null | undefined) => void,
  ): boolean;
  end(callback?: () => void): this;
  end(chunk: unknown, callback?: () => void): this;
  destroy(error?: Error): this;
  on(event: "close", listener: () => void): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  off(event: string | symbol, listener: (...args: any[]) => void): this;
}

export declare function createServer(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): unknown;
