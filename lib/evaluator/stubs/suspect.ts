/** What looks like a stub, and what would excuse it. */
export interface Suspect {
  line: number;
  /** Where what it is about ends: comments until there say the same once more. */
  lastLine?: number;
  /** The same words for the same stub, wherever it stands: what was there before is nobody's doing now. */
  message: string;
  /** Of a class that others build upon, an empty method is a place for them to fill. */
  unlessExtended?: string;
}

/** Names of what is meant to do nothing. */
const NOTHING =
  /^_*(?:noop|no_op|nop|nothing|do_nothing|donothing|pass|skip|ignore|discard|dummy|stub|fake|mock|null|none|silent|swallow|empty|void|blank)|(?:noop|no_op|nothing|dummy|stub)_*$/i;
export const meansNothing = (name: string): boolean => NOTHING.test(name) || /^(?:[_$]*\w?|[_$]+\w{1,4})$/.test(name);

/** Names of moments that need not concern everybody. */
const MOMENT =
  /^_*(?:on|handle|visit|enter|exit|leave|before|after|pre|post|will|did|setup|set_up|setUp|teardown|tear_down|tearDown|close|flush|dispose|destroy|cleanup|clean_up|shutdown|stop|start|open|release|acquire|lock|unlock|reset|freeze|hook)(?:$|_|[A-Z])|(?:_|[a-z])(?:hook|Hook|_callback)$|^(?:pre|post)(?:loop|cmd)$|_(?:begin|start|end|done|changed|added|removed)$/;
export const isMoment = (name: string): boolean => MOMENT.test(name);

/** Names of classes that are there to be built upon, or to do nothing. */
const OPEN_CLASS =
  /^_*(?:Abstract|Base|No[A-Z]|Fake|Mock|Stub|Silent|Empty|Test|I[A-Z])|[Nn]ull|[Nn]oop|[Dd]ummy|(?:Base|Mixin|Interface|Protocol|ABC|Adapter|Hooks?|Handler|Listener|Visitor|Plugin|Delegate)$/;
export const isOpenClass = (name: string): boolean => OPEN_CLASS.test(name);

/** Said of what others are to do, or of what is refused on purpose. */
const BY_OTHERS =
  /subclass|sub-class|overrid|overload|abstract|derived|inherit|interface|support|hook|deprecated|no-?op\b|does nothing|do nothing|nothing to|no longer|compatib|default|>>>/i;
export const isLeftToOthers = (text: string): boolean => BY_OTHERS.test(text);

/** Said of a class: the code is elsewhere. */
export const isForOthers = (text: string): boolean =>
  /\b(?:abstract|interface|subclass|base class|overrid|inherit|no-?op\b)/i.test(text);

/** Said in an empty body: it is to stay so. */
export const isOnPurpose = (text: string): boolean =>
  /nothing|just|bypass|no-?op\b|\bno\b|\bnot\b|n't\b|never|none|only|purpose|intention|deliberate|ignor|unused|silen|quiet|empty|skip|already|discard|swallow|keep|kept|stop|leave|lint|noqa|pragma|mypy|pylint/i.test(
    text,
  ) || isLeftToOthers(text);

/** Said in an empty body: why there is nothing to do. What repeats the function's name says what it should do. */
export const isExplained = (text: string, name: string): boolean =>
  /\b(?:because|since|elsewhere|by (?:the|its|an?|others|then|now)|was|were|been|done|handled|needed|required|optional)\b/i.test(
    text,
  ) && !name.toLowerCase().startsWith((/[a-z]{3,}/i.exec(text)?.[0] ?? "\n").toLowerCase());

/** Called by others when something happens, which need not concern anybody. */
export const isCallback = (name: string): boolean => /^_*(?:on|handle|default)(?:_|[A-Z])/.test(name);

export const isUnfinished = (text: string): boolean =>
  /not (?:yet |been )?implemented|unimplemented|implement (?:me|this)|\btodo\b|coming soon|not done yet/i.test(text);

const TESTS =
  /(?:^|\/)(?:tests?|__tests__|dummy|fakes?|stubs?|spec|idle_test|__mocks__|mocks?|fixtures|testing)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest|mock_[^/]*|_test[^/]*)\.py$|[.\-_](?:test|spec|mock)\.[cm]?[jt]sx?$/;
export const isOfTests = (path: string): boolean => TESTS.test(path);

export const noBody = (name: string): string =>
  `${name} has no code yet, and nothing fills it in later: write what it is to do, or remove it with its uses; should it rightly do nothing, say why in a comment in it`;
