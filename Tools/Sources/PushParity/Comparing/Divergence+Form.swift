import PushBridgeCore

extension Divergence {
    /// How apps are told.
    static let ofForm: [Divergence] = [
        Divergence(
            "callback-or-await",
            legacy:
                "Calls that ask a server call back once: success and network errors on a background queue, errors found before on the caller's thread, updates of the token for all mechanisms on the main queue.",
            async: "The call is awaited, and returns or throws where it was made.",
            reason: "Callbacks are what old call sites pass, and their threads are what they rely on."
        ) { it in
            guard let told = it.told,
                it.isAt("calls", "*", "*", "form") || it.isAt("calls", "*", "*", "thread")
            else { return false }
            return told.legacy.json["form"] == "callback" && told.async.json["form"] == "awaited"
                && told.legacy.thread == .string(expectedThread(of: told.legacy, in: it.step).rawValue)
        },
        Divergence(
            "return-or-await",
            legacy: "Calls that ask nobody but the store are synchronous.",
            async: "They are async like all others.",
            reason: "Old call sites do not wait; new ones never block a thread."
        ) { it in
            it.isAt("calls", "*", "*", "form") && it.values("returned", "awaited")
        },
    ]

    /// On which thread the legacy API has to call back.
    private static func expectedThread(of told: Told, in step: Step) -> Delivery.ThreadClass {
        if case .token(let token) = step, token.way == .text, token.credential == nil { return .main }
        guard let error = told.error else {
            // A one-time password is made without asking anybody.
            if case .enrol(let enrol) = step, enrol.text?.hasPrefix("otpauth:") == true { return .caller }
            return .background
        }
        return error.hasPrefix("NetworkError.") ? .background : .caller
    }
}
