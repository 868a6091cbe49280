public import PingAMSimulator

/// A difference that clients notice between a version of the server and the previous version.
public struct VersionDivergence: Sendable {
    /// The first version with the new behaviour.
    public let version: ServerVersion
    /// The identifier, which is stable across versions.
    public let id: String
    /// The behaviour of earlier versions.
    public let before: String
    /// The behaviour of ``version`` and of later versions.
    public let after: String
    /// The affected parts of codes and pushes.
    ///
    /// Each part is a parameter (`code.b`), a member (`aps.category`) or a claim (`claims.d`).
    package internal(set) var places: Set<String> = []
    /// Returns whether this divergence explains a difference in the behaviour of clients; `nil` if clients
    /// behave in the same way with both versions.
    ///
    /// In the observation, `legacy` contains the result with the older version, and `async` the result with the newer
    /// version.
    var explains: (@Sendable (Observation) -> Bool)?

    /// Whether scenarios show the difference.
    package var showsInScenarios: Bool { explains != nil }
}

/// The differences that clients notice between two server versions in one scenario.
public struct VersionComparison: Sendable {
    /// The ids of the divergences that occurred.
    public let divergences: Set<String>
    /// The differences that the register does not explain.
    public let differences: [Difference]

    /// Compares the behaviour of each API on the two versions.
    /// - Parameters:
    ///   - older: The result of the scenario on the previous version.
    ///   - newer: The result of the scenario on the newer version.
    ///   - version: The newer version.
    public init(_ older: ScenarioResult, _ newer: ScenarioResult, of version: ServerVersion) {
        let register = VersionDivergence.register.filter { $0.version == version }.compactMap { row in
            row.explains.map { Divergence(id: row.id, legacy: row.before, async: row.after, explains: $0) }
        }
        var (shown, left): (Set<String>, [Difference]) = ([], [])
        for (before, after) in [(older.legacy, newer.legacy), (older.async, newer.async)] {
            var judge = Judge(register: register, equivalences: [], settings: newer.settings)
            judge.compare(before, after)
            shown.formUnion(judge.explained.keys)
            left += judge.unexplained
        }
        (divergences, differences) = (shown, left)
    }
}

extension VersionDivergence {
    /// Every difference that clients notice between versions.
    public static let register = [
        VersionDivergence(
            version: .v7_1,
            id: "codes-have-another-colour",
            before:
                "If no colour is configured, a code for push contains `519387`, the default colour of modules.",
            after: "If no colour is configured, a code from a node contains the colour `032b75`.",
            places: ["code.b"]
        ) { it in
            guard case .string(let old)? = it.difference.legacy, case .string(let new)? = it.difference.async
            else { return false }
            return it.difference.path.last == "backgroundColor" && old.hasSuffix("519387")
                && new.hasSuffix("032b75")
        },
        VersionDivergence(
            version: .v7_1,
            id: "codes-of-nodes",
            before:
                "In a code for push, the colour precedes the endpoints' addresses, and the account name in the label is not escaped.",
            after:
                "In a node's code for push, the colour follows the addresses, and the label is escaped. If there is no image, the code contains an empty `image=`.",
            places: ["code.order", "code.label", "code.image"]
        ),
        VersionDivergence(
            version: .v7_2,
            id: "pushes-have-a-category",
            before: "A push has no category.",
            after: "A push is time-sensitive and has a category; in 7.2, this is always `authentication`.",
            places: ["aps.category", "aps.interruption-level"]
        ),
        VersionDivergence(
            version: .v7_2,
            id: "pushes-state-their-type",
            before:
                "The JSON Web Token of a push contains no text, type, numbers, payload, context or time of sending. Clients use the type `default`.",
            after:
                "The JSON Web Token of a push contains the time of sending. If a node sent the push, the token also contains a text, a type and a payload (`{  }` if none is set), and may contain numbers and a context.",
            places: ["claims.m", "claims.k", "claims.i", "claims.p", "claims.x", "claims.n"]
        ) { it in
            let members: Set = [
                "message", "messageText", "type", "pushType", "customPayload", "contextInfo", "numbers",
                "numbersChallenge",
            ]
            guard [.receive, .receiveAgain, .list, .answer].contains(it.step.verb) else { return false }
            return it.isWithin("calls.*.*.value") && !members.isDisjoint(with: it.difference.path)
                || it.isAt("store.notifications.*.*")
                    && it.difference.path.last.map(members.contains) == true
        },
        VersionDivergence(
            version: .v7_2,
            id: "approvals-follow-the-type",
            before:
                "Every push has the type `default`; both APIs refuse to approve it with a number or with biometrics.",
            after:
                "A push is approved in the way that its type requires; the server checks the number with which a challenge is approved."
        ) { it in
            if it.step.verb == .answer { return it.typesDiffer && !it.isWithin("store.push") }
            guard [.list, .receiveAgain].contains(it.step.verb) else { return false }
            return it.standing.contains("approvals-follow-the-type")
                && it.isWithin("calls.0.0.value")
        },
        VersionDivergence(
            version: .v7_3,
            id: "labels-name-the-issuer",
            before: "The label of a code for push names `forgerock` instead of the issuer.",
            after:
                "The label of a node's code for push names the issuer; the label of a module's code for push still names `forgerock`.",
            places: ["code.label"]
        ),
        VersionDivergence(
            version: .v7_3,
            id: "categories-follow-the-type",
            before: "In 7.2, every push has the category `authentication`.",
            after:
                "A challenge from a node has the category `authentication_challenge`, and a biometric push from a node has `authentication_biometric`.",
            places: ["aps.category"]
        ),
        VersionDivergence(
            version: .v7_3,
            id: "extensions-see-pushes",
            before: "`mutable-content` is absent, so a push starts no service extension.",
            after: "`mutable-content` is 1, so a push starts the service extension.",
            places: ["aps.mutable-content"]
        ),
        VersionDivergence(
            version: .v7_3,
            id: "content-available-is-a-number",
            before: "`content-available` is the string `\"1\"`.",
            after: "`content-available` is the number 1.",
            places: ["aps.content-available"]
        ),
        VersionDivergence(
            version: .v7_3,
            id: "codes-are-combined",
            before: "No server creates a code for both push and one-time passwords.",
            after:
                "A node creates codes for both push and one-time passwords, with the scheme `mfauth`, the image's address as plain text and a padded secret.",
            places: ["codes"]
        ) { it in
            // For older versions, scenarios convert push-only codes to combined codes that have a different
            // secret. The store keeps the padding of a code's secret, because apps that use the legacy API
            // compare the secret with the scanned text.
            it.step.verb == .code && it.isWithin("calls.*.*.value") && it.legacy.hasCombinedAccount
                || it.step.verb == .enrol && it.isAt("store.oath.*.legacy")
        },
        VersionDivergence(
            version: .v8_0_2,
            id: "codes-name-the-user",
            before: "A code contains neither the user's name nor the id of the device's profile.",
            after:
                "A code from a node contains the user's name and the id of the device's profile, and the credential stores both.",
            places: ["code.uid", "code.pid", "code.oid"]
        ) { it in
            it.step.verb == .enrol
                && it.isAt("store.push.*.userId", "store.push.*.deviceResourceId")
        },
        VersionDivergence(
            version: .v8_0_2,
            id: "pushes-name-the-user",
            before: "A push does not contain the user's name.",
            after:
                "A push from a node contains the user's name, and a credential that has no user name stores this name.",
            places: ["claims.d"]
        ) { it in
            it.step.verb == .receive && it.isAt("store.push.*.userId")
                || it.step.verb == .token && it.isAt("requests.*.body.username")
        },
        VersionDivergence(
            version: .v8_0_2,
            id: "tokens-are-taken",
            before:
                "The server rejects a new device token with 501. The client sends the token again after an hour, then every seven and a half days.",
            after: "The server accepts a new device token if the request contains the user's name."
        ) { it in
            guard it.step.verb == .token, case .object(let owed)? = it.legacy.store["deviceToken"]?["owed"]
            else { return false }
            return !owed.isEmpty
                && (it.isWithin("calls.0.0", "requests", "timeouts")
                    || it.isAt("server.devices.*.deviceToken", "store.deviceToken.owed.*"))
        },
        VersionDivergence(
            version: .v8_1_0,
            id: "wrong-numbers-are-refused",
            before: "The server accepts an approval with a wrong number, and denies the login.",
            after:
                "The server rejects a wrong number with 400. The push stays pending, and the server accepts the right number later."
        ) { it in
            // If the answered push is not stored, the API does not report the refusal as a wrong number.
            let errors = [
                "PushNotificationError.pushNumberChallengeError", "PushError.pushNumberChallengeError",
                "NetworkError.apiRequestFailure",
            ]
            if case .answer(let answer) = it.step, answer.with == .challenge,
                errors.contains(where: { it.hasErrors(nil, $0) })
            {
                return true
            }
            return [.answer, .list, .receiveAgain].contains(it.step.verb)
                && it.standing.contains("wrong-numbers-are-refused")
        },
    ]
}

extension StepRecord {
    /// Whether an account has both a one-time-password credential and a push credential.
    ///
    /// In scenarios, only a combined code creates both.
    fileprivate var hasCombinedAccount: Bool {
        guard case .object(let push)? = store["push"], case .object(let oath)? = store["oath"] else {
            return false
        }
        let accounts = Set(push.values.map { [$0["issuer"], $0["accountName"]] })
        return oath.values.contains { accounts.contains([$0["issuer"], $0["accountName"]]) }
    }
}

extension Observation {
    /// Whether a stored push has a different type, or is missing, with the newer version.
    fileprivate var typesDiffer: Bool {
        guard case .object(let old)? = legacy.store["notifications"],
            case .object(let new)? = async.store["notifications"]
        else { return false }
        return old.contains { id, push in push["pushType"] != new[id]?["pushType"] }
    }
}
