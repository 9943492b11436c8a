// Server-sent events by hand, as an optimized proxy splits them: searches the text for line ends,
// and copies only lines of data.

/** Returns a function that receives chunks of bytes, and passes the data of each event to `on`. */
export function frames(on) {
  const decoder = new TextDecoder();
  let rest = "";
  let data;
  return (chunk) => {
    const text = rest + decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const length = text.charCodeAt(end - 1) === CR ? end - 1 : end;
      if (length <= from) {
        if (data !== undefined) on(data);
        data = undefined;
      } else if (text.startsWith("data:", from)) {
        const line = text.slice(text.charCodeAt(from + 5) === SPACE ? from + 6 : from + 5, length);
        data = data === undefined ? line : `${data}\n${line}`;
      }
      from = end + 1;
    }
    rest = text.slice(from);
  };
}

const CR = 13;
const SPACE = 32;
