import PushBridgeCore

extension Divergence {
    /// Registration URIs, accounts and clients.
    static let ofCredentials: [Divergence] = [
        oneSided(
            "one-push-per-account",
            legacy:
                "An account has one push mechanism. Another code for the account is refused before a request is sent, even if the code has another secret.",
            async:
                "A code is refused if a stored credential has the same issuer, account and secret. A code with another secret creates another credential.",
            reason:
                "The legacy store identifies mechanisms by account; the new store contains every credential that the server registered.",
            missing: .legacy
        ) { it in
            it.step.verb == .enrol && it.areTold("MechanismError.alreadyExists", nil)
                && it.async.hasAnotherSecret
        },
        oneSided(
            "policies-of-a-code",
            legacy:
                "The policies of a `pushauth` code are evaluated when the app reads the account. Only an `mfauth` code is refused if the device does not comply.",
            async: "A code is refused with `PushError.policyViolation` if the device does not comply.",
            reason:
                "Old call sites enrol and then see a locked account; new call sites get the error at once.",
            missing: .async
        ) { it in
            it.step.verb == .enrol && it.knowsPolicies && it.areTold(nil, "PushError.policyViolation")
        },
        Divergence(
            id: "code-is-a-url",
            legacy: "A code is a `URL`, which the app makes; text that is not a URL never reaches the API.",
            async: "A code is text; text that is not a code throws `PushError.invalidUri`.",
            reason: "The type of the parameter is part of each API."
        ) { it in
            guard it.step.verb == .enrol, let told = it.told, it.isWithin("calls.0.0.*") else {
                return false
            }
            return !told.legacy.isOffered && told.async.error == "PushError.invalidUri"
        },
        Divergence(
            id: "account-outlives-mechanism",
            legacy: "After the removal of its last mechanism, an account stays stored and keeps its date.",
            async: "An account is part of its credentials and is removed with the last one.",
            reason: "Only the legacy model has accounts without mechanisms."
        ) { it in
            if it.step.verb == .deleteAccount, it.isAt("calls.0.0.value") {
                return it.values(true, false)
            }
            guard it.step.verb == .enrol, it.isAt("store.push.*.accountAddedAt"),
                case .number(let legacy)? = it.legacyValue,
                case .number(let async)? = it.asyncValue
            else { return false }
            return legacy < async
        },
        Divergence(
            id: "locks-are-checked",
            legacy:
                "A call fails with an `AccountError` if it locks a locked account, unlocks an unlocked account, locks by a policy that the account does not have, or changes a locked account.",
            async:
                "A credential is a value: the app can set and save any lock, and can change the names of a locked credential. If the device does not comply with the policies, the credential is saved as locked. The legacy API locks such an account when the app reads the account.",
            reason: "The contract of the legacy API requires these errors."
        ) { it in
            let member = it.difference.path.last ?? ""
            if it.step.verb == .rename {
                let names = ["customDisplayIssuer", "customDisplayAccountName", "error", "value"]
                return it.areTold("AccountError.accountLocked", nil) && names.contains(member)
            }
            if it.step.verb == .list {
                // If only one side locked or renamed a credential, the credential differs in all later lists.
                // If only one side answered a push, the push differs in all later lists.
                let isName = ["displayIssuer", "displayAccountName"].contains(member)
                let isLock = ["isLocked", "lockingPolicy"].contains(member)
                let isAnswer = ["approved", "denied", "pending"].contains(member)
                return it.isWithin("calls.0.0.value")
                    && ((isName || isAnswer) && it.standing.contains("locks-are-checked")
                        || isLock && it.locksDiffer)
            }
            // If only the async API locked an account, only the async API shows no codes for it.
            if it.step.verb == .code {
                return it.locksDiffer && it.isWithin("calls.0.0")
                    && it.areTold(nil, "PingOath.OathError.credentialLocked")
            }
            // If only one side answered a push, the push expires on the other side. Lists then show the push
            // differently.
            if it.isAt("server.pushes.*"), it.asyncValue == "expired" {
                return it.standing.contains("locks-are-checked")
            }
            // If only the async API locked the account, the legacy API still answers its pushes.
            if it.step.verb == .answer {
                guard it.locksDiffer, let told = it.told, told.async.error == "PushError.credentialLocked",
                    told.legacy.error != "AccountError.accountLocked"
                else { return false }
                return answering(it) || it.isWithin("calls.0.0.error")
            }
            guard [.lock, .unlock].contains(it.step.verb), let told = it.told, told.async.value == true else {
                return false
            }
            let isRefused = told.legacy.error?.hasPrefix("AccountError.failTo") == true
            let isLockedAgain = it.step.verb == .unlock && told.legacy.error == nil && it.knowsPolicies
            return (isRefused || isLockedAgain)
                && (it.isAt("calls.0.0.error", "calls.0.0.value")
                    // An account's lock applies to all its credentials.
                    || it.isAt("store.push.*.isLocked", "store.push.*.lockingPolicy")
                    || it.isAt("store.oath.*.isLocked", "store.oath.*.lockingPolicy"))
        },
        Divergence(
            id: "client-can-be-closed",
            legacy: "`FRAClient.shared` stays until the app sets it to `nil`.",
            async: "`close()` ends the client; later calls throw `PushError.notInitialized`.",
            reason: "Old call sites never close the client; new call sites can close it."
        ) { it in
            guard let told = it.told, it.isWithin("calls.0.0.*") else { return false }
            if it.step.verb == .close { return !told.legacy.isOffered && told.async.error == nil }
            return told.legacy.error == nil && told.async.error == "PushError.notInitialized"
        },
    ]

    /// Returns a divergence in which only one side creates an object.
    ///
    /// On the other side, the object stays missing.
    ///
    /// `anchor` recognises the step that causes the divergence. It compares the results that both apps
    /// received in the step.
    static func oneSided(
        _ id: String,
        legacy: String,
        async: String,
        reason: String,
        missing: Side,
        anchor: @escaping @Sendable (Observation) -> Bool
    ) -> Divergence {
        Divergence(id: id, legacy: legacy, async: async, reason: reason) { it in
            let missingValue = missing == .legacy ? it.legacyValue : it.asyncValue
            if it.isAt("calls.0.0.*"), let part = it.difference.path.last {
                return ["value", "error"].contains(part) && anchor(it)
            }
            guard missingValue == nil else { return false }
            if anchor(it) {
                return it.isAt("requests.*", "timeouts.*", "store.push.*", "store.order.*")
                    || it.isAt("server.devices.*")
                    // The values that the code contains for the account also apply to the account's other
                    // credentials.
                    || it.isAt("store.push.*.backgroundColor")
            }
            return it.step.verb == .list && it.standing.contains(id)
                && it.isAt("calls.0.0.value.*", "calls.0.0.value.*.backgroundColor")
        }
    }
}

extension StepRecord {
    /// Whether an account has several push credentials, each with a different secret.
    fileprivate var hasAnotherSecret: Bool {
        guard case .object(let credentials)? = store["push"] else { return false }
        let accounts = credentials.values.map { [$0["issuer"], $0["accountName"]] }
        let secrets = credentials.values.map { [$0["issuer"], $0["accountName"], $0["secretProves"]] }
        return Set(accounts).count < accounts.count && Set(secrets).count == secrets.count
    }
}

extension Divergence {
    /// The divergences of the device token.
    static let ofTokens: [Divergence] = [
        Divergence(
            id: "explicit-update-tells-all",
            legacy:
                "`updateDeviceToken` sends the token to every server, even if the server has the token or refused it recently.",
            async:
                "`setDeviceToken` sends the token to the servers that do not have the token and did not refuse it recently.",
            reason: "Old call sites ask for an update explicitly; new ones call at every launch."
        ) { it in
            guard case .token(let token) = it.step, token.way == .text else { return false }
            if it.isAt("calls.0.0.error", "calls.0.0.value") {
                return it.areTold("PushNotificationError.updateFailed", nil) && !it.async.unasked.isEmpty
            }
            guard it.asyncValue == nil else { return false }
            if it.isAt("timeouts.*") { return true }
            guard it.isAt("requests.*"),
                case .string(let device)? = it.legacyValue?["body"]?["mechanismUid"]
            else { return false }
            return it.async.knows(token.hex, device) || it.async.unasked.contains(device)
        },
        Divergence(
            id: "update-without-mechanism",
            legacy:
                "`updateDeviceToken` without a push mechanism fails with `PushNotificationError.storageError`; the token is stored.",
            async: "`setDeviceToken` without a credential stores the token and returns `true`.",
            reason:
                "The legacy API's contract requires the error; for a new app, a missing credential is not a failure."
        ) { it in
            guard case .token = it.step, let told = it.told else { return false }
            let isPlace = it.isAt("calls.0.0.error", "calls.0.0.value")
            return isPlace && told.legacy.error == "PushNotificationError.storageError"
                && told.async.value == true
        },
        Divergence(
            id: "empty-token",
            legacy: "An empty token is stored and sent like any other; the server refuses it.",
            async: "An empty token throws `PushError.invalidParameterValue`, and is neither stored nor sent.",
            reason: "The legacy API sends every value; the async API refuses values that are always invalid."
        ) { it in
            guard case .token(let token) = it.step, token.hex.isEmpty, token.way == .text else {
                return it.step.verb == .readToken && it.standing.contains("empty-token")
                    && it.isAt("calls.0.0.value") && it.legacyValue == ""
            }
            let isTold =
                it.isWithin("calls.0.0.error")
                && it.areTold("PushNotificationError.updateFailed", "PushError.invalidParameterValue")
            return isTold || it.asyncValue == nil && it.isAt("store.deviceToken.owed.*", "requests.*")
                || it.legacyValue == "" && it.isAt("store.deviceToken.tokenId")
                || it.isAt("store.deviceToken.createdAt")
        },
        Divergence(
            id: "token-can-be-forgotten",
            legacy: "`clearDeviceToken` deletes the token.",
            async: "`PushClient` has no such method; `PushStorage` has `clearPushDeviceTokens()`.",
            reason:
                "The legacy API deletes the token after each failure that UIKit reports. `didFailToRegister(_:)` of the async API deletes the token only if the app cannot have one."
        ) { it in
            let isPlace = it.isAt("calls.0.0.notOffered", "calls.0.0.form")
            if case .clearToken = it.step {
                return isPlace && it.told?.async.isOffered == false
                    || it.isAt("store.deviceToken") && it.legacyValue == nil
            }
            return it.step.verb == .readToken && it.standing.contains("token-can-be-forgotten")
                && it.isAt("calls.0.0.value") && it.legacyValue == nil
        },
    ]
}

extension StepRecord {
    /// The devices whose token is unconfirmed and to whose servers the step sent no request.
    ///
    /// The servers of these devices were skipped because they refused the token recently.
    fileprivate var unasked: Set<String> {
        guard case .object(let owed)? = store["deviceToken"]?["owed"] else { return [] }
        let asked = requests.compactMap { request -> String? in
            if case .string(let device)? = request["body"]?["mechanismUid"] { device } else { nil }
        }
        return Set(owed.keys).subtracting(asked)
    }

    /// Returns whether the server has this token for a device, or does not know the device.
    fileprivate func knows(_ token: String, _ device: String) -> Bool {
        guard let known = server["devices"]?[device] else { return true }
        guard case .string(let text)? = known["deviceToken"] else { return false }
        return text.lowercased() == token.lowercased()
    }
}
