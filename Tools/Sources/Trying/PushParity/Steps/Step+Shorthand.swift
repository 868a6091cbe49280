import PushBridgeCommandLine

/// Short forms of steps, for scenarios in Swift.
extension Step {
    /// The system issues a device token, or the app sends a token as text.
    ///
    /// A token from the system is in hexadecimal.
    public static func token(_ hex: String, _ way: Token.Way? = nil, credential: String? = nil) -> Step {
        .token(Token(hex: hex, way: way, credential: credential))
    }

    /// The user scans a registration URI.
    ///
    /// The closure `change` may change the step.
    public static func enrol(_ credential: String, _ change: (inout Enrol) -> Void = { _ in }) -> Step {
        var enrol = Enrol(credential: credential)
        change(&enrol)
        return .enrol(enrol)
    }

    /// The server sends a push.
    ///
    /// The closure `change` may change the step.
    public static func receive(
        _ push: String,
        to credential: String,
        _ change: (inout Receive) -> Void = { _ in }
    ) -> Step {
        var receive = Receive(push: push, credential: credential)
        change(&receive)
        return .receive(receive)
    }

    /// The server sends a challenge.
    ///
    /// The right number is 34.
    public static func challenge(_ push: String, to credential: String) -> Step {
        receive(push, to: credential) {
            $0.type = "challenge"
            $0.numbers = "34,43,57"
        }
    }

    /// The server sends a push that asks for biometric authentication.
    public static func biometric(_ push: String, to credential: String) -> Step {
        receive(push, to: credential) { $0.type = "biometric" }
    }

    /// The user answers a push.
    ///
    /// If `meanwhile` is set, the user gives a second answer, of this kind, while the first one is sent.
    public static func answer(
        _ push: String,
        _ kind: AnswerKind,
        number: String? = nil,
        meanwhile: AnswerKind? = nil
    ) -> Step {
        .answer(Answer(push: push, with: kind, number: number, meanwhile: meanwhile))
    }

    /// A fault makes the next requests fail, or delays them.
    public static func fault(
        _ kind: FaultOrder.Kind,
        times: Int? = nil,
        action: String? = nil,
        credential: String? = nil
    ) -> Step {
        .fault(FaultOrder(kind: kind, times: times, action: action, credential: credential))
    }

    /// The state of the device changes.
    public static func device(
        biometrics: Bool? = nil,
        tampering: Double? = nil,
        isLocked: Bool? = nil,
        refusesFace: Bool? = nil
    ) -> Step {
        .device(
            Device(
                biometrics: biometrics,
                tampering: tampering,
                isLocked: isLocked,
                refusesFace: refusesFace
            )
        )
    }

    /// The app locks an account for a policy.
    public static func lock(_ credential: String, policy: String) -> Step {
        .lock(Lock(credential: credential, policy: policy))
    }

    /// The user renames an account.
    public static func rename(_ credential: String, issuer: String? = nil, account: String? = nil) -> Step {
        .rename(Rename(credential: credential, issuer: issuer, account: account))
    }

    /// A legacy store is migrated.
    ///
    /// The closure `change` may change the step.
    public static func migrate(_ credential: String, _ change: (inout Migrate) -> Void = { _ in }) -> Step {
        var migrate = Migrate(credential: credential)
        change(&migrate)
        return .migrate(migrate)
    }
}
