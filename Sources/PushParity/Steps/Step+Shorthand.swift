import AuthenticatorCore

/// Steps as the catalogue writes them.
extension Step {
    static func token(_ hex: String, _ way: Token.Way? = nil, credential: String? = nil) -> Step {
        .token(Token(hex: hex, way: way, credential: credential))
    }

    static func enrol(_ credential: String, _ change: (inout Enrol) -> Void = { _ in }) -> Step {
        var enrol = Enrol(credential)
        change(&enrol)
        return .enrol(enrol)
    }

    static func receive(
        _ push: String,
        to credential: String,
        _ change: (inout Receive) -> Void = { _ in }
    ) -> Step {
        var receive = Receive(push, to: credential)
        change(&receive)
        return .receive(receive)
    }

    static func challenge(_ push: String, to credential: String) -> Step {
        receive(push, to: credential) {
            $0.type = "challenge"
            $0.numbers = "34,43,57"
        }
    }

    static func biometric(_ push: String, to credential: String) -> Step {
        receive(push, to: credential) { $0.type = "biometric" }
    }

    static func receiveAgain(_ push: String) -> Step { .receiveAgain(OfPush(push: push)) }

    static func receiveRaw(_ payload: JSONValue) -> Step { .receiveRaw(ReceiveRaw(payload: payload)) }

    static func answer(
        _ push: String,
        _ kind: AnswerKind,
        number: String? = nil,
        meanwhile: AnswerKind? = nil
    ) -> Step {
        var answer = Answer(push, with: kind)
        answer.number = number
        answer.meanwhile = meanwhile
        return .answer(answer)
    }

    static func fault(
        _ kind: FaultOrder.Kind,
        times: Int? = nil,
        action: String? = nil,
        credential: String? = nil
    ) -> Step {
        .fault(FaultOrder(kind: kind, times: times, action: action, credential: credential))
    }

    static func advance(_ seconds: Double) -> Step { .advance(Advance(seconds: seconds)) }

    static func device(biometrics: Bool? = nil, tampering: Double? = nil) -> Step {
        var device = Device()
        device.biometrics = biometrics
        device.tampering = tampering
        return .device(device)
    }

    static func forget(_ credential: String) -> Step { .forget(OfCredential(credential: credential)) }

    static func lock(_ credential: String, policy: String) -> Step {
        .lock(Lock(credential: credential, policy: policy))
    }

    static func unlock(_ credential: String) -> Step { .unlock(OfCredential(credential: credential)) }

    static func rename(_ credential: String, issuer: String? = nil, account: String? = nil) -> Step {
        .rename(Rename(credential: credential, issuer: issuer, account: account))
    }

    static func deleteCredential(_ name: String) -> Step { .deleteCredential(OfCredential(credential: name)) }

    static func deleteAccount(_ name: String) -> Step { .deleteAccount(OfCredential(credential: name)) }

    static func deleteNotification(_ push: String) -> Step { .deleteNotification(OfPush(push: push)) }

    static func list(_ what: List.Content) -> Step { .list(List(what: what)) }

    static func migrate(_ credential: String, _ change: (inout Migrate) -> Void = { _ in }) -> Step {
        var migrate = Migrate(credential)
        change(&migrate)
        return .migrate(migrate)
    }
}
