// Names that scripts meet everywhere: those that are the same in every world, those that lead out of it, and methods that change nothing.

/** The same in every world. */
export const LANGUAGE: ReadonlySet<string> = new Set(
  "undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Function RegExp Error TypeError RangeError SyntaxError Math JSON Map Set WeakMap Promise Proxy Reflect parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape eval arguments console".split(
    " ",
  ),
);

/** Whatever is read from it, it is there. */
export const WINDOWS: ReadonlySet<string> = new Set([
  "window",
  "self",
  "top",
  "parent",
  "frames",
  "globalThis",
]);

export const OUTSIDE =
  "location document navigator screen Date random localStorage sessionStorage history performance innerWidth innerHeight outerWidth outerHeight devicePixelRatio require define referrer cookie href name status toLocaleString toLocaleDateString Intl".split(
    " ",
  );

/** They leave what they are called on as it is. */
export const PURE: ReadonlySet<string> = new Set(
  "concat join slice indexOf lastIndexOf includes split substring substr charAt match replace test search trim toLowerCase toUpperCase toString map filter some every startsWith endsWith exec hasOwnProperty getItem".split(
    " ",
  ),
);
