// Reads Markdown with bounded work: its parser takes time by the square to the cube for some texts, and overflows the
// stack on deep ones. What is beyond a limit stays text.
import { Lexer, type Token, type TokensList } from 'marked';

/** Longer cells and paragraphs stay text. */
const LONG_CHARACTERS = 5_000;
/** So do those with more signs that may begin or end emphasis, code or a link: each is compared with those after it. */
const MARKS_MAX = 200;
/** The comparisons of such signs in a text of several paragraphs; what comes after them stays text. */
const COMPARISONS_MAX = 4_000_000;
/** Blocks within blocks; what is deeper stays text. */
const DEPTH_MAX = 20;
/** A text is read at most so many times, level by level. */
const READINGS_MAX = 50;

/** Whether a cell or paragraph stays text. */
export function staysText(text: string): boolean {
  return text.length > LONG_CHARACTERS || marksIn(text) > MARKS_MAX;
}

const marksIn = (text: string) => text.match(/[\\`*_~[\]<&]/g)?.length ?? 0;

/** The tokens of a text of several paragraphs; undefined if it has to stay text as a whole. */
export function blockTokensOf(text: string): Token[] | undefined {
  return within(() => new BoundedLexer(text).blocks(text));
}

/** The tokens of a text within a line; undefined if it has to stay text. */
export function inlineTokensOf(text: string): Token[] | undefined {
  return staysText(text) ? undefined : within(() => new BoundedLexer(text).inlineTokens(text));
}

function within(read: () => Token[]): Token[] | undefined {
  try {
    return read();
  } catch {
    // The parser is not ours: whatever it cannot do must not take the page away.
    return undefined;
  }
}

const textToken = (text: string): Token => ({ type: 'text', raw: text, text });

class BoundedLexer extends Lexer {
  #depth = 0;
  #left: number;
  #comparisons = 0;

  constructor(text: string) {
    super();
    this.#left = READINGS_MAX * (text.length + 1_000);
  }

  blocks(text: string): Token[] {
    this.blockTokens(text.replace(/\r\n?/g, '\n'), this.tokens);
    // No reference is shown as a link, and each would be looked for in every paragraph.
    this.tokens.links = {};
    for (const { src, tokens } of this.inlineQueue) this.inlineTokens(src, tokens);
    return this.tokens;
  }

  override blockTokens(text: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(text: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(text: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    this.#count(text);
    if (this.#depth === DEPTH_MAX) {
      tokens.push(textToken(text));
      return tokens;
    }
    this.#depth += 1;
    super.blockTokens(text, tokens, lastParagraphClipped);
    this.#depth -= 1;
    return tokens;
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    this.#count(text);
    if (!staysText(text)) {
      this.#comparisons += marksIn(text) ** 2;
      if (this.#comparisons <= COMPARISONS_MAX) return super.inlineTokens(text, tokens);
    }
    tokens.push(textToken(text));
    return tokens;
  }

  #count(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) throw new RangeError('This Markdown takes too much work to read.');
  }
}
