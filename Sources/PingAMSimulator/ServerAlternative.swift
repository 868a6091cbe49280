/// A possible behaviour of servers that replaces an inferred default behaviour of the simulator.
///
/// The article <doc:Server-behaviour> lists each alternative with the default behaviour.
public enum ServerAlternative: String, CaseIterable, Sendable {
    // Registration codes.

    /// In the label of a code, all characters except letters, digits and `-._~` are escaped.
    ///
    /// The label of a module's code for push is never escaped.
    case escapedLabels = "escaped-labels"
    /// Challenges have 16 bytes.
    case shortChallenges = "short-challenges"
    /// Base64url values in registration codes are padded with `=`.
    case paddedCodes = "padded-codes"
    /// A node's code has no image parameter if no image is configured.
    case absentImages = "absent-images"
    /// The parameters of a code have the order of the scanned QR code, not the order of the hidden field in the
    /// registration page.
    case scannedOrder = "scanned-order"
    /// In AM 7.1 the label of a code contains the unescaped account name, as in 7.1.0.
    case rawLabels = "raw-labels"

    // Pushes.

    /// The payload has no spaces between its JSON values.
    case compactPayloads = "compact-payloads"
    /// The header of the token has no `typ`.
    case untypedTokens = "untyped-tokens"
    /// The claims are sorted by name.
    case sortedClaims = "sorted-claims"
    /// An empty custom payload is `{}`, without spaces between the braces.
    case compactNothing = "compact-nothing"
    /// In AM 7.5 the message for Google's service has a member `priority`, as in 7.5.2, and not `PRIORITY`.
    case lowerCasePriority = "lower-case-priority"

    // Requests.

    /// A request without a resource version is rejected.
    case demandedVersion = "demanded-version"
    /// A request without the JSON content type is rejected.
    case demandedContentType = "demanded-content-type"
    /// The response to an unknown action has status 400.
    case badActions = "bad-actions"
    /// The body of a rejection contains only the message, and neither the code nor the reason.
    case bareRefusals = "bare-refusals"
    /// The response to an error that the server does not catch has status 400.
    case caughtErrors = "caught-errors"
    /// The response to an error that the server does not catch is a web page.
    case errorPages = "error-pages"
    /// Like earlier versions, 8.0.1 and later versions do not catch the error that a device token without an
    /// endpoint causes.
    case uncaughtEndpoints = "uncaught-endpoints"
    /// The server does not catch the error that a token update without a token causes.
    case uncaughtTokens = "uncaught-tokens"
    /// The server does not catch the error that a token update for a user without a device causes.
    case uncaughtUsers = "uncaught-users"

    // Messages and profiles.

    /// The server keeps an expired message until the token store is cleared.
    ///
    /// Answers to the message are accepted but have no effect.
    case lateAnswers = "late-answers"
    /// After the login page has polled an answer to a node's push, further answers are accepted but have no effect.
    case revivedMessages = "revived-messages"
    /// In AM 8.1.0, the approval of a challenge with a wrong number consumes the message and denies the login.
    ///
    /// With and without this alternative, the server rejects the approval.
    case wrongNumberConsumes = "wrong-number-consumes"
    /// A push cannot be answered after the profile of its device has been removed.
    case orphanedPushes = "orphaned-pushes"
    /// A device is stored even if it does not send its id, its token or its type.
    case blankProfiles = "blank-profiles"
    /// Before 7.5, profiles for push are at `devices/push`, not at `devices/2fa/push`.
    case oldProfilePath = "old-profile-path"
    /// All challenges that wait at the same time have the number of the newest challenge, because the
    /// challenges share a generator.
    case mixedChallenges = "mixed-challenges"
}
