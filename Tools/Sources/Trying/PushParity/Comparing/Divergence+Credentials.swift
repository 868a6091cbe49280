import PushBridgeCore

extension Divergence {
    /// The divergences of registration URIs, accounts and clients.
    static let ofCredentials: [Divergence] = [
        oneSided("one-push-per-account", missing: .legacy) { it in
            it.step.verb == .enrol && it.hasErrors("MechanismError.alreadyExists", nil)
                && it.async.hasAnotherSecret
        },
        oneSided("policies-of-a-code", missing: .async) { it in
            it.step.verb == .enrol && it.evaluatesPolicies && it.hasErrors(nil, "PushError.policyViolation")
        },
        Divergence(registered: "code-is-a-url") { it in
            guard it.step.verb == .enrol, let results = it.results, it.isWithin("calls.0.0.*") else {
                return false
            }
            return !results.legacy.isOffered && results.async.error == "PushError.invalidUri"
        },
        Divergence(registered: "account-outlives-mechanism") { it in
            if it.step.verb == .deleteAccount, it.isAt("calls.0.0.value") {
                return it.values(true, false)
            }
            guard it.step.verb == .enrol, it.isAt("store.push.*.accountAddedAt"),
                case .number(let legacy)? = it.legacyValue,
                case .number(let async)? = it.asyncValue
            else { return false }
            return legacy < async
        },
        Divergence(registered: "locks-are-checked") { it in
            let member = it.difference.path.last ?? ""
            if it.step.verb == .rename {
                let names = ["customDisplayIssuer", "customDisplayAccountName", "error", "value"]
                return it.hasErrors("AccountError.accountLocked", nil) && names.contains(member)
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
            // If only the async API locked an account, only the legacy API shows the account's one-time
            // passwords.
            if it.step.verb == .code {
                return it.locksDiffer && it.isWithin("calls.0.0")
                    && it.hasErrors(nil, "PingOath.OathError.credentialLocked")
            }
            // If only one side answered a push, the push expires on the other side. Lists then show the push
            // differently.
            if it.isAt("server.pushes.*"), it.asyncValue == "expired" {
                return it.standing.contains("locks-are-checked")
            }
            // If only the async API locked the account, the legacy API still answers its pushes.
            if it.step.verb == .answer {
                guard it.locksDiffer, let results = it.results,
                    results.async.error == "PushError.credentialLocked",
                    results.legacy.error != "AccountError.accountLocked"
                else { return false }
                return answering(it) || it.isWithin("calls.0.0.error")
            }
            guard [.lock, .unlock].contains(it.step.verb), let results = it.results,
                results.async.value == true
            else { return false }
            let isRefused = results.legacy.error?.hasPrefix("AccountError.failTo") == true
            let isLockedAgain = it.step.verb == .unlock && results.legacy.error == nil && it.evaluatesPolicies
            return (isRefused || isLockedAgain)
                && (it.isAt("calls.0.0.error", "calls.0.0.value")
                    // An account's lock applies to all its credentials.
                    || it.isAt("store.push.*.isLocked", "store.push.*.lockingPolicy")
                    || it.isAt("store.oath.*.isLocked", "store.oath.*.lockingPolicy"))
        },
        Divergence(registered: "client-can-be-closed") { it in
            guard let results = it.results, it.isWithin("calls.0.0.*") else { return false }
            if it.step.verb == .close { return !results.legacy.isOffered && results.async.error == nil }
            return results.legacy.error == nil && results.async.error == "PushError.notInitialized"
        },
    ]

    /// Returns a registered divergence in which only one side creates an object.
    ///
    /// On the other side, the object stays missing.
    ///
    /// From the results that both apps received, `anchor` determines whether the step causes the divergence.
    static func oneSided(
        _ id: String,
        missing: APISide,
        anchor: @escaping @Sendable (Observation) -> Bool
    ) -> Divergence {
        Divergence(registered: id) { it in
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
        Divergence(registered: "explicit-update-sends-to-all") { it in
            guard case .token(let token) = it.step, token.way == .text else { return false }
            if it.isAt("calls.0.0.error", "calls.0.0.value") {
                return it.hasErrors("PushNotificationError.updateFailed", nil) && !it.async.unasked.isEmpty
            }
            guard it.asyncValue == nil else { return false }
            if it.isAt("timeouts.*") { return true }
            guard it.isAt("requests.*"),
                case .string(let device)? = it.legacyValue?["body"]?["mechanismUid"]
            else { return false }
            return it.async.hasToken(token.hex, for: device) || it.async.unasked.contains(device)
        },
        Divergence(registered: "update-without-mechanism") { it in
            guard case .token = it.step, let results = it.results else { return false }
            let isPlace = it.isAt("calls.0.0.error", "calls.0.0.value")
            return isPlace && results.legacy.error == "PushNotificationError.storageError"
                && results.async.value == true
        },
        Divergence(registered: "empty-token") { it in
            guard case .token(let token) = it.step, token.hex.isEmpty, token.way == .text else {
                return it.step.verb == .readToken && it.standing.contains("empty-token")
                    && it.isAt("calls.0.0.value") && it.legacyValue == ""
            }
            let isRejected =
                it.isWithin("calls.0.0.error")
                && it.hasErrors("PushNotificationError.updateFailed", "PushError.invalidParameterValue")
            return isRejected || it.asyncValue == nil && it.isAt("store.deviceToken.owed.*", "requests.*")
                || it.legacyValue == "" && it.isAt("store.deviceToken.tokenId")
                || it.isAt("store.deviceToken.createdAt")
        },
        Divergence(registered: "token-can-be-forgotten") { it in
            let isPlace = it.isAt("calls.0.0.notOffered", "calls.0.0.form")
            if case .clearToken = it.step {
                return isPlace && it.results?.async.isOffered == false
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
    fileprivate func hasToken(_ token: String, for device: String) -> Bool {
        guard let known = server["devices"]?[device] else { return true }
        guard case .string(let text)? = known["deviceToken"] else { return false }
        return text.lowercased() == token.lowercased()
    }
}
