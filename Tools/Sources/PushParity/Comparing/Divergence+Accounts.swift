import PushBridgeCore

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
