import FRAuthenticator
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import Testing

/// The names that an error has in the two APIs.
///
/// The tests use the pairs in the guide's table.
@Suite struct ErrorPairTests {
    @Test(arguments: [
        ("nonsense", "MechanismError.invalidQRCode", "PushError.invalidUri"),
        ("pushauth://sms/Example:alice?s=x", "MechanismError.invalidType", "PushError.invalidUri"),
        (
            "pushauth://push/Example:alice", "MechanismError.missingInformation",
            "PushError.invalidUri"
        ),
        ("&s=***", "CryptoError.invalidParam", "PushError.invalidParameterValue"),
    ])
    func bothAPIsRejectAnUnreadableCode(_ code: String, _ old: String, _ new: String) async throws {
        let apis = try await BothApis()
        var text = code
        if code.hasPrefix("&") {
            let valid = try apis.code()
            text = valid.replacing(#/&s=[^&]*|\?s=[^&]*/#) { "\($0.output.prefix(1))s=***" }
        }
        #expect(try await enrolling(text, apis) == [old, new])
        #expect(apis.server.simulator.journal.isEmpty)
        await apis.server.stop()
    }

    @Test func bothAPIsReportAMissingDeviceToken() async throws {
        let apis = try await BothApis()
        apis.handler.clearDeviceToken()
        let names = try await enrolling(try apis.code(), apis)
        #expect(names == ["PushNotificationError.missingDeviceToken", "PushError.deviceTokenNotSet"])
        await apis.server.stop()
    }

    @Test func bothAPIsRejectACodeThatIsKnown() async throws {
        let apis = try await BothApis()
        let code = try apis.code()
        _ = try await apis.client.addCredentialFromUri(code)
        let names = try await enrolling(code, apis)
        #expect(names == ["MechanismError.alreadyExists", "PushError.duplicateCredential"])
        await apis.server.stop()
    }

    @Test func bothAPIsReportACodeThatTheServerRefuses() async throws {
        let apis = try await BothApis()
        let code = try apis.code()
        let credential = try await apis.client.addCredentialFromUri(code)
        try await apis.client.deleteCredential(credential.id)
        let names = try await enrolling(code, apis)
        #expect(names == ["NetworkError.apiRequestFailure", "PushError.registrationFailed"])
        await apis.server.stop()
    }

    @Test func bothAPIsReportALockedAccount() async throws {
        let apis = try await BothApis()
        var credential = try await apis.enrol()
        let (old, new) = try await apis.receive(credential)
        credential.lock(policy: "officeHours")
        try await apis.client.saveCredential(credential)
        let names = try await denying(old, new, apis)
        #expect(names == ["AccountError.accountLocked", "PushError.credentialLocked"])
        await apis.server.stop()
    }

    @Test func bothAPIsReportARemovedPush() async throws {
        let apis = try await BothApis()
        let credential = try await apis.enrol()
        let (old, new) = try await apis.receive(credential)
        try await apis.client.deleteCredential(credential.id)
        let names = try await denying(old, new, apis)
        #expect(names == ["PushNotificationError.storageError", "PushError.notificationNotFound"])
        await apis.server.stop()
    }

    @Test func bothAPIsReportAServerThatDoesNotAnswer() async throws {
        let apis = try await BothApis()
        let (old, new) = try await apis.receive(try await apis.enrol())
        await apis.server.stop()
        let names = try await denying(old, new, apis)
        #expect(names == ["URLError", "PushError.networkFailure"])
        #expect(old.isPending)
        #expect(try await apis.client.getNotification(new.id)?.pending == true)
    }

    /// Returns the names of the errors that the legacy API and the async API report for a registration URI.
    private func enrolling(_ code: String, _ apis: BothApis) async throws -> [String] {
        let uri = try #require(URL(string: code))
        let reason = await legacyError { done, fail in
            apis.legacy.createMechanismFromUri(uri: uri, onSuccess: { _ in done() }, onError: fail)
        }
        return [name(reason), await thrown { _ = try await apis.client.addCredentialFromUri(code) }]
    }

    private func denying(
        _ old: FRAuthenticator.PushNotification,
        _ new: PushBridgeCore.PushNotification,
        _ apis: BothApis
    ) async throws -> [String] {
        let reason = await legacyError { old.deny(onSuccess: $0, onError: $1) }
        return [name(reason), await thrown { _ = try await apis.client.denyNotification(new.id) }]
    }

    private func thrown(_ call: () async throws -> Void) async -> String {
        do {
            try await call()
            return "nothing"
        } catch {
            return name(error)
        }
    }

    /// Returns the type and the case of an error.
    private func name(_ error: (any Error)?) -> String {
        guard let error else { return "nothing" }
        if error is URLError { return "URLError" }
        return "\(type(of: error)).\(String(describing: error).prefix(while: \.isLetter))"
    }
}
