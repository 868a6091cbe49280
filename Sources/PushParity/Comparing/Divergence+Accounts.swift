import AuthenticatorCore

extension Divergence {
    /// Accounts and clients.
    static let ofAccounts: [Divergence] = [
        Divergence(
            "locks-are-checked",
            legacy:
                "Locking twice, unlocking what is not locked and locking by a policy that the account does not have fail with `AccountError`.",
            async: "A credential is a value: any lock can be set and saved.",
            reason: "A contract of the legacy API."
        ) { it in
            guard [.lock, .unlock].contains(it.step.verb), let told = it.told, told.async.value == true else {
                return false
            }
            let isRefused = told.legacy.error?.hasPrefix("AccountError.failTo") == true
            let isPlace =
                it.isAt("calls", "0", "0", "error") || it.isAt("calls", "0", "0", "value")
                || it.isAt("store", "push", "*", "isLocked") || it.isAt("store", "push", "*", "lockingPolicy")
            return isRefused && isPlace
        },
        Divergence(
            "lock-of-account-or-credential",
            legacy:
                "A policy locks the account, with all its mechanisms, through whichever one it is evaluated.",
            async:
                "A policy locks the credential that is read; the account's others follow when they are read.",
            reason:
                "The new API has no accounts. Policies are evaluated before anything is answered or shown."
        ) { it in
            guard it.step.verb == .code else { return false }
            if it.isAt("store", "push", "*", "lockingPolicy") { return it.asyncValue == nil }
            return it.isAt("store", "push", "*", "isLocked") && it.values(true, false)
        },
        Divergence(
            "client-can-be-closed",
            legacy: "`FRAClient.shared` stays for as long as the process.",
            async: "`close()` ends the client; later calls throw `PushError.notInitialized`.",
            reason: "Old call sites never close; new ones may."
        ) { it in
            guard let told = it.told, it.isWithin("calls", "0", "0", "*") else { return false }
            if it.step.verb == .close { return !told.legacy.isOffered && told.async.error == nil }
            return told.legacy.error == nil && told.async.error == "PushError.notInitialized"
        },
    ]
}
