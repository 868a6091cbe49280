import PushBridgeCore

extension Divergence {
    /// The device token.
    static let ofTokens: [Divergence] = [
        Divergence(
            "explicit-update-tells-all",
            legacy: "`updateDeviceToken` tells every server, whether or not it knows the token.",
            async: "`setDeviceToken` tells those servers that do not know the token yet.",
            reason: "An old call site that asks for an update means one; new ones call at every launch."
        ) { it in
            guard case .token(let token) = it.step, token.way == .text else { return false }
            guard it.asyncValue == nil else { return false }
            if it.isAt("timeouts", "*") { return true }
            guard it.isAt("requests", "*"),
                case .string(let device)? = it.legacyValue?["body"]?["mechanismUid"]
            else { return false }
            return it.async.knows(token.hex, device)
        },
        Divergence(
            "update-without-mechanism",
            legacy:
                "`updateDeviceToken` without a push mechanism fails with `PushNotificationError.storageError`; the token is stored.",
            async: "`setDeviceToken` without a credential stores the token and returns `true`.",
            reason: "A contract of the legacy API; for a new app it is no failure."
        ) { it in
            guard case .token = it.step, let told = it.told else { return false }
            let isPlace = it.isAt("calls", "0", "0", "error") || it.isAt("calls", "0", "0", "value")
            return isPlace && told.legacy.error == "PushNotificationError.storageError"
                && told.async.value == true
        },
        Divergence(
            "empty-token",
            legacy: "An empty token is stored and sent like any other; the server refuses it.",
            async: "An empty token throws `PushError.invalidParameterValue`; nothing is stored or sent.",
            reason: "The legacy API passes on what it is given; the new one refuses what cannot be right."
        ) { it in
            guard case .token(let token) = it.step, token.hex.isEmpty, token.way == .text else {
                return it.step.verb == .readToken && it.standing.contains("empty-token")
                    && it.isAt("calls", "0", "0", "value") && it.legacyValue == ""
            }
            let isTold =
                it.isWithin("calls", "0", "0", "error")
                && it.areTold("PushNotificationError.updateFailed", "PushError.invalidParameterValue")
            return isTold || it.asyncValue == nil && it.isAt("store", "deviceToken", "owed", "*")
                || it.asyncValue == nil && it.isAt("requests", "*")
                || it.legacyValue == "" && it.isAt("store", "deviceToken", "tokenId")
                || it.isAt("store", "deviceToken", "createdAt")
        },
        Divergence(
            "token-can-be-forgotten",
            legacy: "`clearDeviceToken` forgets the token.",
            async: "There is no such call; a new token replaces the old one.",
            reason: "The legacy API forgets the token when the system refuses to register the app."
        ) { it in
            let isPlace = it.isAt("calls", "0", "0", "notOffered") || it.isAt("calls", "0", "0", "form")
            if case .clearToken = it.step {
                return isPlace && it.told?.async.isOffered == false
                    || it.isAt("store", "deviceToken") && it.legacyValue == nil
            }
            return it.step.verb == .readToken && it.standing.contains("token-can-be-forgotten")
                && it.isAt("calls", "0", "0", "value") && it.legacyValue == nil
        },
    ]
}

extension Moment {
    /// Whether the server knows this token of a device, or knows no such device.
    fileprivate func knows(_ token: String, _ device: String) -> Bool {
        guard let known = server["devices"]?[device] else { return true }
        guard case .string(let text)? = known["deviceToken"] else { return false }
        return text.lowercased() == token.lowercased()
    }
}
