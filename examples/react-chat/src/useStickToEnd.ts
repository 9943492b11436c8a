import { useEffect, useRef } from "react";

/**
 * Keeps an element at the end of a page visible while the page grows, unless the user has scrolled
 * away from it.
 */
export function useStickToEnd(whatGrows: unknown) {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < 120;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  useEffect(() => {
    if (isAtEnd.current) {
      end.current?.scrollIntoView({ block: "end" });
    }
  }, [whatGrows]);
  return end;
}
