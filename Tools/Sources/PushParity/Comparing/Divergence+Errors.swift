import PushBridgeCore

extension Divergence {
    /// Errors that have a name in each API.
    static let ofErrors: [Divergence] = [
        pair(
            "network-failure",
            "NetworkError.apiRequestFailure",
            "PushError.networkFailure",
            "Names are contracts; both carry the status of the response."
        ),
        pair(
            "registration-refused",
            "NetworkError.apiRequestFailure",
            "PushError.registrationFailed",
            "The new API tells a code that the server does not take from a server that does not answer.",
            covering: ["name", "status"]
        ),
        pair(
            "wrong-kind",
            "MechanismError.invalidInformation",
            "PushError.invalidPushType",
            "Names are contracts; nothing is sent."
        ),
        pair(
            "locked",
            "AccountError.accountLocked",
            "PushError.credentialLocked",
            "The legacy error names the policy, the new one the credential.",
            covering: ["name", "subject"]
        ),
        pair(
            "no-device-token",
            "PushNotificationError.missingDeviceToken",
            "PushError.deviceTokenNotSet",
            "Names are contracts; nothing is sent."
        ),
        pair("not-a-code", "MechanismError.invalidQRCode", "PushError.invalidUri", "Names are contracts."),
        pair(
            "unknown-kind-of-code",
            "MechanismError.invalidType",
            "PushError.invalidUri",
            "Names are contracts."
        ),
        pair(
            "missing-parameter",
            "MechanismError.missingInformation",
            "PushError.missingRequiredParameter",
            "The new error names the parameter, the legacy one only describes it.",
            covering: ["name", "subject"]
        ),
        pair(
            "invalid-parameter",
            "MechanismError.invalidInformation",
            "PushError.invalidParameterValue",
            "Names are contracts."
        ),
        pair(
            "already-enrolled",
            "MechanismError.alreadyExists",
            "PushStorageError.duplicateCredential",
            "The legacy error carries the mechanism's key, the new one the credential's id.",
            covering: ["name", "subject"]
        ),
        pair(
            "push-gone",
            "PushNotificationError.storageError",
            "PushError.notificationNotFound",
            "The legacy API has one error for everything that is not stored.",
            covering: ["name", "subject"]
        ),
        pair(
            "answered-push-gone",
            "PushNotificationError.notificationInvalidStatus",
            "PushError.notificationNotFound",
            "A legacy object knows that it was answered, although it is not stored any more.",
            covering: ["name", "subject"]
        ),
        pair(
            "oath-already-enrolled",
            "MechanismError.alreadyExists",
            "PingOath.OathError.duplicateCredential",
            "The legacy error carries the mechanism's key, the new one the credential's id.",
            covering: ["name", "subject"]
        ),
        pair(
            "oath-missing-parameter",
            "MechanismError.missingInformation",
            "PingOath.OathError.missingRequiredParameter",
            "The new error names the parameter, the legacy one only describes it.",
            covering: ["name", "subject"]
        ),
        pair(
            "oath-invalid-parameter",
            "MechanismError.invalidInformation",
            "PingOath.OathError.invalidParameterValue",
            "Names are contracts."
        ),
        pair(
            "oath-invalid-secret",
            "MechanismError.invalidInformation",
            "PingOath.OathError.invalidSecret",
            "Names are contracts."
        ),
        pair(
            "oath-invalid-algorithm",
            "MechanismError.invalidInformation",
            "PingOath.OathError.invalidAlgorithm",
            "Names are contracts."
        ),
        pair(
            "oath-no-code",
            "OathError.invalidSecret",
            "PingOath.OathError.codeGenerationFailed",
            "Names are contracts; a hash of MD5 may be too short for a code."
        ),
        pair(
            "policy-violation",
            "AccountError.failToRegisterPolicyViolation",
            "PushError.policyViolation",
            "Names are contracts; nothing is sent."
        ),
        pair(
            "oath-locked",
            "AccountError.accountLocked",
            "PingOath.OathError.credentialLocked",
            "The legacy error names the policy, the new one the credential.",
            covering: ["name", "subject"]
        ),
        pair(
            "all-failures-or-first",
            "PushNotificationError.updateFailed",
            "PushError.networkFailure",
            "The legacy error carries the failures of all servers, the new one the first.",
            covering: ["name", "parts"]
        ),
    ]

    /// Two names for one error; no other property of it may be different than those that are covered.
    private static func pair(
        _ id: String,
        _ legacy: String,
        _ async: String,
        _ reason: String,
        covering covered: Set<String> = ["name"]
    ) -> Divergence {
        Divergence(
            "error." + id,
            legacy: "`\(legacy)`",
            async: "`\(async)`",
            reason: reason
        ) { it in
            guard let property = it.difference.path.dropFirst(4).first else { return false }
            return it.isWithin("calls", "*", "*", "error", "*") && it.areTold(legacy, async)
                && covered.contains(property)
        }
    }
}
