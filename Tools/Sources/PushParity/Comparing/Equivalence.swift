import PushBridgeCore

/// The same behaviour that the two APIs tell in forms of their own.
///
/// What is explained so is *same*: the app learns the same, and the server and the store hold the same.
public struct Equivalence: Sendable {
    /// The name, which does not change from version to version.
    public let id: String
    /// The form of the legacy API.
    public let legacy: String
    /// The form of the new API.
    public let async: String
    /// Whether a difference is one of form; narrow, so that nothing else hides behind it.
    let explains: @Sendable (Observation) -> Bool

    private init(
        _ id: String,
        legacy: String,
        async: String,
        explains: @escaping @Sendable (Observation) -> Bool
    ) {
        self.id = id
        self.legacy = legacy
        self.async = async
        self.explains = explains
    }

    /// Every equivalence; the only place where one is described.
    public static let all = forms + errors

    private static let forms: [Equivalence] = [
        Equivalence(
            "callback-or-await",
            legacy:
                "Calls that ask a server call back once: success and network errors on a background queue, errors found before on the caller's thread, updates of the token for all mechanisms on the main queue.",
            async: "The call is awaited, and returns or throws where it was made."
        ) { it in
            guard let told = it.told,
                it.isAt("calls", "*", "*", "form") || it.isAt("calls", "*", "*", "thread")
            else { return false }
            return told.legacy.json["form"] == "callback" && told.async.json["form"] == "awaited"
                && told.legacy.thread == .string(expectedThread(of: told.legacy, in: it.step).rawValue)
        },
        Equivalence(
            "return-or-await",
            legacy: "Calls that ask nobody but the store are synchronous.",
            async: "They are async like all others."
        ) { it in
            it.isAt("calls", "*", "*", "form") && it.values("returned", "awaited")
        },
        Equivalence(
            "launch-is-silent",
            legacy: "The app delegate is told nothing of the update that a new token sets off.",
            async:
                "`setDeviceToken` returns `true`, or throws the first failure, once every server was asked."
        ) { it in
            guard case .token(let token) = it.step, token.way != .text, let told = it.told else {
                return false
            }
            // What the new side says of the servers has to be what they said.
            if it.isAt("calls", "0", "0", "value") { return it.values(nil, true) && it.async.isAccepted }
            return it.isAt("calls", "0", "0", "error") && told.legacy.error == nil
                && told.async.error == "PushError.networkFailure" && !it.async.isAccepted
        },
        Equivalence(
            "answered-already",
            legacy:
                "A push that was answered, or whose answer is on its way, fails with `PushNotificationError.notificationInvalidStatus`.",
            async: "The call returns `false`."
        ) { it in
            guard it.step.verb == .answer, let told = it.told else { return false }
            let isPlace = it.isAt("calls", "*", "0", "error") || it.isAt("calls", "*", "0", "value")
            return isPlace && told.legacy.error == "PushNotificationError.notificationInvalidStatus"
                && told.async.error == nil && told.async.value == false
        },
        Equivalence(
            "legacy-headers",
            legacy:
                "Requests also say `Accept: application/json`, `x-requested-with: forgerock-sdk` and `x-requested-platform: ios`.",
            async: "Requests say what the protocol needs."
        ) { it in
            guard it.isAt("requests", "*", "headers", "*"), let header = it.difference.path.last else {
                return false
            }
            switch header {
            case "accept": return it.values("application/json", nil)
            case "x-requested-with": return it.values("forgerock-sdk", nil)
            case "x-requested-platform": return it.values("ios", nil)
            default: return false
            }
        },
        Equivalence(
            "token-spelling",
            legacy: "The token is upper-case hexadecimal.",
            async: "The token is lower-case hexadecimal, or as the app spells it."
        ) { it in
            let isPlace =
                it.isAt("store", "deviceToken", "tokenId") || it.isAt("server", "devices", "*", "deviceToken")
                || it.isAt("requests", "*", "token", "claims", "deviceId")
                || it.step.verb == .readToken && it.isAt("calls", "0", "0", "value")
            guard isPlace, case .string(let legacy)? = it.legacyValue,
                case .string(let async)? = it.asyncValue
            else { return false }
            return legacy == async.uppercased()
        },
        Equivalence(
            "colour-spelling",
            legacy: "The background colour is as the code spells it.",
            async: "The background colour of a push credential begins with `#`."
        ) { it in
            guard it.difference.path.last == "backgroundColor", case .string(let legacy)? = it.legacyValue
            else {
                return false
            }
            return it.asyncValue == .string("#\(legacy)")
        },
    ]

    /// Errors that have a name in each API.
    private static let errors: [Equivalence] = [
        error("network-failure", "NetworkError.apiRequestFailure", "PushError.networkFailure"),
        error(
            "registration-refused",
            "NetworkError.apiRequestFailure",
            "PushError.registrationFailed",
            also: ["status"]
        ),
        error("wrong-kind", "MechanismError.invalidInformation", "PushError.invalidPushType"),
        error("locked", "AccountError.accountLocked", "PushError.credentialLocked", also: ["subject"]),
        error("no-device-token", "PushNotificationError.missingDeviceToken", "PushError.deviceTokenNotSet"),
        error("not-a-code", "MechanismError.invalidQRCode", "PushError.invalidUri"),
        error("unknown-kind-of-code", "MechanismError.invalidType", "PushError.invalidUri"),
        error(
            "missing-parameter",
            "MechanismError.missingInformation",
            "PushError.missingRequiredParameter",
            also: ["subject"]
        ),
        error("invalid-parameter", "MechanismError.invalidInformation", "PushError.invalidParameterValue"),
        error("invalid-secret", "CryptoError.invalidParam", "PushError.invalidParameterValue"),
        error("invalid-address", "NetworkError.invalidRequest", "PushError.invalidParameterValue"),
        error(
            "already-enrolled",
            "MechanismError.alreadyExists",
            "PushStorageError.duplicateCredential",
            also: ["subject"]
        ),
        error(
            "push-gone",
            "PushNotificationError.storageError",
            "PushError.notificationNotFound",
            also: ["subject"]
        ),
        error(
            "answered-push-gone",
            "PushNotificationError.notificationInvalidStatus",
            "PushError.notificationNotFound",
            also: ["subject"]
        ),
        error(
            "oath-already-enrolled",
            "MechanismError.alreadyExists",
            "PingOath.OathError.duplicateCredential",
            also: ["subject"]
        ),
        error(
            "oath-missing-parameter",
            "MechanismError.missingInformation",
            "PingOath.OathError.missingRequiredParameter",
            also: ["subject"]
        ),
        error(
            "oath-invalid-parameter",
            "MechanismError.invalidInformation",
            "PingOath.OathError.invalidParameterValue"
        ),
        error("oath-invalid-secret", "MechanismError.invalidInformation", "PingOath.OathError.invalidSecret"),
        error(
            "oath-invalid-algorithm",
            "MechanismError.invalidInformation",
            "PingOath.OathError.invalidAlgorithm"
        ),
        error("oath-no-code", "OathError.invalidSecret", "PingOath.OathError.codeGenerationFailed"),
        error("policy-violation", "AccountError.failToRegisterPolicyViolation", "PushError.policyViolation"),
        error(
            "oath-locked",
            "AccountError.accountLocked",
            "PingOath.OathError.credentialLocked",
            also: ["subject"]
        ),
        error(
            "all-failures-or-first",
            "PushNotificationError.updateFailed",
            "PushError.networkFailure",
            also: ["parts"]
        ),
    ]

    /// Two names for one error; of its other properties only those in `also` may be different.
    private static func error(
        _ id: String,
        _ legacy: String,
        _ async: String,
        also: Set<String> = []
    ) -> Equivalence {
        Equivalence("error." + id, legacy: "`\(legacy)`", async: "`\(async)`") { it in
            guard let property = it.difference.path.dropFirst(4).first else { return false }
            return it.isWithin("calls", "*", "*", "error", "*") && it.areTold(legacy, async)
                && (property == "name" || also.contains(property))
        }
    }

    /// On which thread the legacy API has to call back.
    private static func expectedThread(of told: Told, in step: Step) -> Delivery.ThreadClass {
        if case .token(let token) = step, token.way == .text, token.credential == nil { return .main }
        guard let error = told.error else {
            // A one-time password is made without asking anybody.
            if case .enrol(let enrol) = step, enrol.text?.hasPrefix("otpauth:") == true { return .caller }
            return .background
        }
        // What cannot be sent is found before a server is asked.
        let wasSent = error.hasPrefix("NetworkError.") && error != "NetworkError.invalidRequest"
        return wasSent ? .background : .caller
    }
}

extension Moment {
    /// Whether the servers took everything that was sent to them.
    fileprivate var isAccepted: Bool { requests.filter { $0["status"] != 200 }.isEmpty }
}
