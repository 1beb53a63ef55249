/** When an empty or refusing body is meant. Pure. */

/** A body that is not written yet. */
export interface Stub {
  line: number;
  lastLine: number;
  /** The same for the same stub at any line, so that an old one is recognised after it moved. */
  message: string;
  /** Of a class that others extend, an empty method is a place for them to fill. */
  unlessExtended?: string;
}

/** Names of functions that are meant to do nothing. */
const NOTHING =
  /^_*(?:noop|no_op|nop|no_?log|nothing|do_nothing|donothing|pass|skip|ignore|discard|dummy|stub|fake|mock|null|none|silent|swallow|empty|void|blank|upgrade|downgrade)|(?:noop|no_op|nothing|dummy|stub)_*$/i;
export const meansNothing = (name: string): boolean => NOTHING.test(name) || /^(?:[_$]*\w?|[_$]+\w{1,4})$/.test(name);

/** Names of methods that are called at some moment, which need not concern every class. */
const MOMENT =
  /^_*(?:on|handle|visit|enter|exit|leave|before|after|pre|post|will|did|init|setup|set_up|setUp|teardown|tear_down|tearDown|close|flush|dispose|destroy|cleanup|clean_up|shutdown|stop|start|open|release|acquire|lock|unlock|reset|freeze|hook)(?:$|_|[A-Z])|(?:_|[a-z])(?:hook|Hook|_callback)$|^(?:pre|post)(?:loop|cmd)$|_(?:begin|start|end|done|changed|added|removed)$/;
export const isMoment = (name: string): boolean => MOMENT.test(name);

export const isCallback = (name: string): boolean => /^_*(?:on|handle|default)(?:_|[A-Z])/.test(name);

/** Names of classes that are meant to be extended, or to do nothing. */
const OPEN_CLASS =
  /^(?:State|Scene|Screen|Strategy|Observer|Middleware|Backend|Driver|Component|Command|Entity|Behaviou?r|Policy)$|^_*(?:Abstract|Base|No[A-Z]|Fake|Mock|Stub|Silent|Empty|Test|I[A-Z])|[Nn]ull|[Nn]oop|[Dd]ummy|(?:Base|Mixin|Interface|Protocol|ABC|Adapter|Hooks?|Handler|Listener|Visitor|Filter|Transport|Plugin|Delegate)$/;
export const isOpenClass = (name: string): boolean => OPEN_CLASS.test(name);

/** A text that leaves the work to others, or refuses on purpose. */
const BY_OTHERS =
  /subclass|sub-class|overrid|overload|abstract|derived|inherit|interface|support|platform|hook|deprecated|no-?op\b|does nothing|do nothing|nothing to|no longer|compatib|default|>>>/i;
export const isLeftToOthers = (text: string): boolean => BY_OTHERS.test(text);

const ON_PURPOSE =
  /nothing|just|bypass|no-?op\b|\bno\b|\bnot\b|n't\b|never|none|only|purpose|intention|deliberate|ignor|unused|silen|quiet|empty|skip|already|discard|swallow|keep|kept|stop|leave|lint|noqa|pragma|mypy|pylint|\b(?:because|since|elsewhere|by (?:the|its|an?|others|then|now)|was|were|been|done|handled|needed|required|optional)\b/i;

/** A comment that says why a body is empty. One that begins with the function's name says what it should do. */
export const isOnPurpose = (comment: string, name: string): boolean =>
  isLeftToOthers(comment) ||
  (ON_PURPOSE.test(comment) && !name.toLowerCase().startsWith((/[a-z]{3,}/i.exec(comment)?.[0] ?? "\n").toLowerCase()));

export const isUnfinished = (text: string): boolean =>
  /not (?:yet |been )?implemented|unimplemented|implement (?:me|this)|\btodo\b|coming soon|not done yet/i.test(text);

/** A promise to write the code later. */
const PROMISE =
  /\b(?:todo|fixme|placeholder|implement (?:this|me|it|later|here|the)|(?:to|will) be implemented|not (?:yet )?implemented|implementation (?:here|pending|goes here)|coming soon|fill (?:this |me )?in|(?:logic|code) (?:here|goes|later)|add later|do this later|unfinished|incomplete)\b/i;
export const isPromise = (comment: string): boolean => PROMISE.test(comment);

const TESTS =
  /(?:^|\/)(?:tests?|__tests__|dummy|fakes?|stubs?|spec|idle_test|__mocks__|mocks?|fixtures|testing)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest|mock_[^/]*|_test[^/]*)\.py$|[.\-_](?:test|spec|mock)\.[cm]?[jt]sx?$/;
export const isOfTests = (path: string): boolean => TESTS.test(path);

export const noCode = (name: string): string =>
  `${name} has no code: implement it, or remove it and its uses. If it is meant to do nothing, say why in a comment in its body`;
