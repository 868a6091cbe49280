package import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals

extension StepPlayer {
    /// Performs a step, and returns the results that the app received, call by call.
    func perform(_ step: Step) async throws -> [[Delivery]] {
        switch step.content {
        case .token(let token): try await take(token)
        case .clearToken: await call(.clearToken)
        case .readToken: await call(.readToken)
        case .enrol(let enrol): try await scan(enrol)
        case .receive(let receive): try await deliver(receive)
        case .receiveAgain(let push): await call(messages[push].map { .receive($0.payload) })
        case .receiveRaw(let payload): await call(.receive(payload))
        case .answer(let answer): await give(answer)
        case .lock(let lock):
            try await call(stored(lock.credential).map { .lock(credentialId: $0, policy: lock.policy) })
        case .unlock(let name): try await call(stored(name).map { .unlock(credentialId: $0) })
        case .rename(let rename): try await call(stored(rename.credential).map { rename.call($0) })
        case .deleteCredential(let name):
            await call(credentials[name].map { .deleteCredential(credentialId: $0) })
        case .deleteAccount(let name): await call(accounts[name].map { .deleteAccount($0) })
        case .deleteNotification(let name):
            await call(messages[name].map { .deleteNotification(messageId: $0.id) })
        case .code(let name): await call(try oathCredential(name).map { .code(credentialId: $0) })
        case .list(let list): await call(.list(list))
        case .migrate(let migrate): try migrated(migrate)
        case .close: await call(.close)
        case .fault, .advance, .device, .forget, .enrolElsewhere, .restart, .only:
            try await change(step.content)
        }
    }

    func call(_ call: SideCall?) async -> [[Delivery]] {
        guard let call else { return skipped("The credential, account or push of the step does not exist.") }
        return [await side.perform(call)]
    }

    /// Returns the id of a push credential; `nil` if the credential is not stored, because screens then do not show it.
    private func stored(_ name: String) throws -> String? {
        guard let id = credentials[name] else { return nil }
        return try environment.contents().pushCredentials.first { $0.id == id }?.id
    }

    /// Returns the id of the one-time-password credential with this name; `nil` if there is no such credential.
    ///
    /// The name may also be the name of a combined code.
    private func oathCredential(_ name: String) throws -> String? {
        let stored = try environment.contents().oathCredentials
        let named = stored.first { $0.id == credentials[name] }
        return (named ?? stored.first { $0.account.key == accounts[name] })?.id
    }

    func skipped(_ reason: String) -> [[Delivery]] { [[Delivery(.returned, .skipped(reason))]] }

    /// Performs an event that is not a call of the app.
    private func change(_ step: Step) async throws -> [[Delivery]] {
        switch step {
        case .fault(let fault): try arm(fault)
        case .advance(let seconds): environment.phone.advance(seconds)
        case .device(let device): environment.change(device)
        case .forget(let name):
            guard let id = credentials[name] else { break }
            environment.server.withService { _ = $0.removeDevice(id) }
        case .enrolElsewhere(let name): enrolElsewhere(name)
        case .restart: try await restart()
        default: break
        }
        return []
    }

    private func arm(_ order: Step.FaultOrder) throws {
        let action = try order.action.map { name in
            guard let action = PushRequest.Action(rawValue: name) else {
                throw ParityError(
                    code: .invalidStep,
                    reason: "The action \(name) does not exist: use register, authenticate or refresh."
                )
            }
            return action
        }
        let fault: Fault =
            switch order.kind {
            case .dropConnection: .dropConnection
            case .loseResponse: .loseResponse
            case .refusal: .refusal
            case .serverError: .serverError
            case .garbageBody: .garbageBody
            case .redirect: .redirect(to: "\(environment.server.base)/elsewhere")
            case .delay: .delay(.milliseconds(30))
            }
        let mechanismUid = order.credential.map { credentials[$0] ?? $0 }
        environment.server.withService { service in
            service.arm(fault, times: order.times ?? 1, action: action, mechanismUid: mechanismUid)
        }
    }

    private func take(_ token: Step.Token) async throws -> [[Delivery]] {
        switch token.way ?? .launch {
        case .launch:
            guard let bytes = Data(hex: token.hex), token.credential == nil else {
                throw ParityError(
                    code: .invalidStep,
                    reason:
                        "The token \(token.hex) is set at launch, so it must be hexadecimal, and the step must not name a credential."
                )
            }
            return await call(.registerToken(bytes))
        case .text:
            guard let name = token.credential else {
                return await call(.updateToken(token.hex, credentialId: nil))
            }
            return try await call(stored(name).map { .updateToken(token.hex, credentialId: $0) })
        }
    }
}

extension Step.Rename {
    fileprivate func call(_ credentialId: String) -> SideCall {
        .rename(credentialId: credentialId, issuer: issuer, account: account)
    }
}

extension Data {
    /// Parses hexadecimal digits.
    ///
    /// Returns `nil` if the text contains another character, or if the number of digits is odd.
    package init?(hex: String) {
        // `UInt8.init(_:radix:)` also accepts a sign.
        guard hex.count.isMultiple(of: 2), hex.allSatisfy(\.isHexDigit) else { return nil }
        self.init()
        var rest = hex[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            append(byte)
            rest = rest.dropFirst(2)
        }
    }
}
