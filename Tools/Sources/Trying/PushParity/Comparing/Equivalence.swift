import PushBridgeCore

/// Behaviour that is the same in both APIs but has a different form in each API.
///
/// An equivalence counts as *same*: the app gets the same information, and the server and the store have the same
/// state.
public enum Equivalence {
    /// All equivalences, except for ``inPlace``.
    public static let all = forms + errors

    private static let forms: [Divergence] = [
        Divergence(
            id: "callback-or-await",
            legacy:
                "A call that sends a request calls one of its callbacks once. Success and network errors arrive on a background queue, earlier errors on the caller's thread. The result of a token update for all mechanisms arrives on the main queue.",
            async: "The caller awaits the call, which returns or throws at the call site."
        ) { it in
            guard let results = it.results, it.isAt("calls.*.*.form", "calls.*.*.thread") else {
                return false
            }
            return results.legacy.json["form"] == "callback" && results.async.json["form"] == "awaited"
                && results.legacy.thread == .string(expectedThread(of: results.legacy, in: it.step).rawValue)
        },
        Divergence(
            id: "return-or-await",
            legacy: "Calls that need only the store are synchronous.",
            async: "Calls that need only the store are async, like all other calls."
        ) { it in
            it.isAt("calls.*.*.form") && it.values("returned", "awaited")
        },
        Divergence(
            id: "launch-is-silent",
            legacy: "The app delegate does not receive the result of the update after a new token.",
            async:
                "After the requests to all servers, `setDeviceToken` returns `true` or throws the first failure."
        ) { it in
            guard case .token(let token) = it.step, token.way != .text, let results = it.results else {
                return false
            }
            // The result of the async API must match the servers' responses.
            if it.isAt("calls.0.0.value") { return it.values(nil, true) && it.async.isAccepted }
            return it.isAt("calls.0.0.error") && results.legacy.error == nil
                && results.async.error == "PushError.networkFailure" && !it.async.isAccepted
        },
        Divergence(
            id: "answered-already",
            legacy:
                "If a push was answered, or an answer is being sent, another answer fails with `PushNotificationError.notificationInvalidStatus`. If the new answer does not fit the type of the push, the call fails with `MechanismError.invalidInformation`.",
            async:
                "The call with another answer returns `false`."
        ) { it in
            guard it.step.verb == .answer, let results = it.results else { return false }
            let errors = [
                "PushNotificationError.notificationInvalidStatus", "MechanismError.invalidInformation",
            ]
            return it.isAt("calls.*.0.error", "calls.*.0.value")
                && results.legacy.error.map(errors.contains) == true
                && results.async.error == nil && results.async.value == false
        },
        Divergence(
            id: "legacy-headers",
            legacy:
                "Besides the headers that the protocol needs, requests have `Accept: application/json`, `x-requested-with: forgerock-sdk` and `x-requested-platform: ios`.",
            async: "Requests have only the headers that the protocol needs."
        ) { it in
            guard it.isAt("requests.*.headers.*"), let header = it.difference.path.last else {
                return false
            }
            let values: [String: JSONValue] = [
                "accept": "application/json", "x-requested-with": "forgerock-sdk",
                "x-requested-platform": "ios",
            ]
            return values[header].map { it.values($0, nil) } ?? false
        },
        Divergence(
            id: "token-spelling",
            legacy: "The token is upper-case hexadecimal.",
            async: "The token is in lower-case hexadecimal, or in the spelling that the app uses."
        ) { it in
            let isPlace =
                it.isAt("store.deviceToken.tokenId", "server.devices.*.deviceToken")
                || it.isAt("requests.*.token.claims.deviceId")
                || it.step.verb == .readToken && it.isAt("calls.0.0.value")
            guard isPlace, case .string(let legacy)? = it.legacyValue,
                case .string(let async)? = it.asyncValue
            else { return false }
            return legacy == async.uppercased()
        },
        Divergence(
            id: "colour-spelling",
            legacy: "The background colour has the spelling that the code uses.",
            async: "The background colour of a push credential begins with `#`."
        ) { it in
            guard it.difference.path.last == "backgroundColor", case .string(let legacy)? = it.legacyValue
            else {
                return false
            }
            return it.asyncValue == .string("#\(legacy)")
        },
    ]

    private static let errors = errorTable.split(separator: "\n").map { row in
        error(row.split(separator: " ").map(String.init))
    }

    private static func error(_ row: [String]) -> Divergence {
        let (legacy, async) = (row[1], row[2].hasPrefix("OathError.") ? "PingOath.\(row[2])" : row[2])
        return Divergence(id: "error." + row[0], legacy: "`\(legacy)`", async: "`\(async)`") { it in
            guard let property = it.difference.path.dropFirst(4).first else { return false }
            return it.isWithin("calls.*.*.error.*") && it.hasErrors(legacy, async)
                && (property == "name" || row.dropFirst(3).contains(property))
        }
    }

    /// Returns the thread on which the legacy API must call the callback with this result.
    private static func expectedThread(of result: CallResult, in step: Step) -> Delivery.ThreadClass {
        if case .token(let token) = step, token.way == .text, token.credential == nil { return .main }
        guard let error = result.error else {
            // The enrolment of a one-time-password credential sends no request, so the API calls the callback
            // on the caller's thread.
            if case .enrol(let enrol) = step, enrol.text?.hasPrefix("otpauth:") == true { return .caller }
            return .background
        }
        // A request that cannot be created fails on the caller's thread, because it is never sent.
        let wasSent =
            error.hasPrefix("NetworkError.") && error != "NetworkError.invalidRequest" || error == "URLError"
            || error == "PushNotificationError.pushNumberChallengeError"
        return wasSent ? .background : .caller
    }
}

/// The name of each error in both APIs, and the parts of the error that may differ.
///
/// In each column, `OathError` is the type of that column's API.
private let errorTable = """
    network-failure NetworkError.apiRequestFailure PushError.networkFailure
    no-answer URLError PushError.networkFailure
    registration-refused NetworkError.apiRequestFailure PushError.registrationFailed status
    wrong-number PushNotificationError.pushNumberChallengeError PushError.pushNumberChallengeError
    wrong-kind MechanismError.invalidInformation PushError.invalidPushType
    locked AccountError.accountLocked PushError.credentialLocked subject
    no-device-token PushNotificationError.missingDeviceToken PushError.deviceTokenNotSet
    not-a-code MechanismError.invalidQRCode PushError.invalidUri
    unknown-kind-of-code MechanismError.invalidType PushError.invalidUri
    incomplete-code MechanismError.missingInformation PushError.invalidUri subject
    missing-parameter MechanismError.missingInformation PushError.missingRequiredParameter subject
    invalid-parameter MechanismError.invalidInformation PushError.invalidParameterValue
    invalid-secret CryptoError.invalidParam PushError.invalidParameterValue
    invalid-address NetworkError.invalidRequest PushError.invalidParameterValue
    already-enrolled MechanismError.alreadyExists PushError.duplicateCredential subject
    push-gone PushNotificationError.storageError PushError.notificationNotFound subject
    answered-push-gone PushNotificationError.notificationInvalidStatus PushError.notificationNotFound subject
    oath-already-enrolled MechanismError.alreadyExists OathError.duplicateCredential subject
    oath-missing-parameter MechanismError.missingInformation OathError.missingRequiredParameter subject
    oath-invalid-parameter MechanismError.invalidInformation OathError.invalidParameterValue
    oath-invalid-secret MechanismError.invalidInformation OathError.invalidSecret
    oath-invalid-algorithm MechanismError.invalidInformation OathError.invalidAlgorithm
    oath-no-code OathError.invalidSecret OathError.codeGenerationFailed
    policy-violation AccountError.failToRegisterPolicyViolation PushError.policyViolation
    oath-locked AccountError.accountLocked OathError.credentialLocked subject
    all-failures-or-first PushNotificationError.updateFailed PushError.networkFailure parts
    """

extension StepRecord {
    /// Whether the servers accepted every request.
    fileprivate var isAccepted: Bool { requests.filter { $0["status"] != 200 }.isEmpty }
}
