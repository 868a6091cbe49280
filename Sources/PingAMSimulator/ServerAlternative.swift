/// What a server may do otherwise than the simulator does by default, where it is only inferred what servers do.
///
/// `docs/simulator.md` says beside each what the simulator does without it.
public enum ServerAlternative: String, CaseIterable, Sendable {
    // What a code says.

    /// The label of a node's code escapes all but letters, digits and `-._~`.
    case escapedLabels = "escaped-labels"
    /// Challenges have 16 bytes.
    case shortChallenges = "short-challenges"
    /// Values of codes are padded with `=`.
    case paddedCodes = "padded-codes"
    /// A node's code has no image if there is none.
    case absentImages = "absent-images"
    /// Codes have the order of parameters that a scanned one has, not that of the page's hidden field.
    case scannedOrder = "scanned-order"
    /// At AM 7.1 the label of a node's code has the account as it is, as 7.1.0 has it.
    case rawLabels = "raw-labels"

    // What a push says.

    /// The payload has no blanks.
    case compactPayloads = "compact-payloads"
    /// The header of the token names no type.
    case untypedTokens = "untyped-tokens"
    /// The claims are in the order of their names.
    case sortedClaims = "sorted-claims"
    /// An empty custom payload has no blanks.
    case compactNothing = "compact-nothing"
    /// At AM 7.5 the message for Google's service has `priority`, as 7.5.2 has it.
    case lowerCasePriority = "lower-case-priority"

    // Requests.

    /// A request that names no version of the resource is refused.
    case demandedVersion = "demanded-version"
    /// A request whose content is not said to be JSON is refused.
    case demandedContentType = "demanded-content-type"
    /// An unknown action is a 400.
    case badActions = "bad-actions"
    /// A refusal is its message alone, without code and reason.
    case bareRefusals = "bare-refusals"
    /// What the server does not catch is a 400.
    case caughtErrors = "caught-errors"
    /// What the server does not catch is answered by a web page.
    case errorPages = "error-pages"
    /// That there can be no endpoint for a device's token is not caught by 8.0.1 and later either.
    case uncaughtEndpoints = "uncaught-endpoints"
    /// A token update without a token is not caught.
    case uncaughtTokens = "uncaught-tokens"
    /// A token update for a user who has no device is not caught.
    case uncaughtUsers = "uncaught-users"

    // Messages and profiles.

    /// A message is known beyond its life, until the token store is cleared: answers are accepted and do not count.
    case lateAnswers = "late-answers"
    /// An answer that comes when the login page has looked is accepted and does not count.
    case revivedMessages = "revived-messages"
    /// The approval of a challenge with a wrong number, which AM 8.1.0 refuses, ends the message and denies the login.
    case wrongNumberConsumes = "wrong-number-consumes"
    /// A push cannot be answered when the profile of its device is gone.
    case orphanedPushes = "orphaned-pushes"
    /// A device that does not say its id, token or type is stored all the same.
    case blankProfiles = "blank-profiles"
    /// Before 7.5, profiles are at `devices/push`, not at `devices/2fa/push`.
    case oldProfilePath = "old-profile-path"
    /// Challenges that wait at the same time get the number of the last one, because their generator is shared.
    case mixedChallenges = "mixed-challenges"
}
