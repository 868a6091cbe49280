import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

/// Codes that enrol only a one-time-password credential.
///
/// The expected codes come from tables that describe the server's source.
@Suite("One-time codes")
struct OneTimeCodeTests {
    private func code(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ codes: OneTimeCodeOrder
    ) throws -> (uri: String, secret: SharedSecret) {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        var service = SimulatedService(settings: settings)
        var order = RegistrationOrder(issuer: "Forge & co", account: "d emo")
        order.codes = codes
        order.resourceId = "unused"
        order.account.imageURL = "https://x.example.com/y.png?a=b"
        let code = try service.createOneTimeCode(order)
        return (code.uri, code.secret)
    }

    private static let byTime: OneTimeCodeOrder = {
        var order = OneTimeCodeOrder(.time(period: 60))
        order.algorithm = .sha512
        order.digits = 8
        return order
    }()

    /// Up to 7.2, the code contains the issuer as a parameter.
    ///
    /// From 8.0.1 on, the code contains the user and the profile. These two values are encoded as in push codes, and
    /// the other values are not. The secret has padding.
    @Test(arguments: [
        (ServerVersion.v7_1, "&issuer=Forge%20&%20co", ""), (.v7_2, "&issuer=Forge%20&%20co", ""),
        (.v7_3, "", ""), (.v8_0_0, "", ""), (.v8_0_2, "", "&uid=ZCBlbW8&oid="),
        (.v8_1_0, "", "&uid=ZCBlbW8&oid="),
    ])
    func aCodeFromANodeHasTheParametersOfTheServerVersion(
        _ version: ServerVersion,
        _ issuer: String,
        _ names: String
    ) throws {
        let (uri, secret) = try code(version, .node, Self.byTime)
        let start =
            "otpauth://totp/Forge%20&%20co:d%20emo?secret=\(secret.withBase32 { $0 })====\(issuer)&period=60&digits=8"
            + "&b=032b75&image=https://x.example.com/y.png?a=b&algorithm=SHA512\(names)"
        #expect(names.isEmpty ? uri == start : uri.hasPrefix(start))
    }

    /// Modules write the secret without padding.
    ///
    /// Before 7.1, nodes also wrote the secret without padding.
    @Test(arguments: [(ServerVersion.v6_5, PushSender.node), (.v6_5, .module), (.v8_0_2, .module)])
    func modulesAndOldNodesWriteTheSecretWithoutPadding(_ version: ServerVersion, _ sender: PushSender) throws
    {
        let (uri, secret) = try code(version, sender, OneTimeCodeOrder(.counter(7)))
        let value = secret.withBase32 { $0 }
        let expected =
            "otpauth://hotp/Forge%20&%20co:d%20emo?secret=\(value)&issuer=Forge%20&%20co&digits=6&counter=7"
        #expect(uri == expected)
    }

    @Test func clientsReadTheCode() throws {
        let (uri, secret) = try code(.v7_5, .node, Self.byTime)
        let read = try OathRegistration(uri: uri)
        #expect(read.account.accountName == "d emo")
        #expect(read.password.secret == secret)
        #expect(read.password.digits == 8)
    }

    @Test func aModuleRejectsAnotherHashFunction() throws {
        let error = #expect(throws: SimulatorError.self) { try code(.v8_0_2, .module, Self.byTime) }
        #expect(error?.code == .invalidOrder)
    }

    @Test func aSecondOneTimePasswordProfileOfAUserIsRejected() throws {
        var service = SimulatedService()
        var order = RegistrationOrder(issuer: "Forge", account: "demo")
        let without = #expect(throws: SimulatorError.self) { try service.createOneTimeCode(order) }
        #expect(without?.code == .invalidOrder)
        order.codes = OneTimeCodeOrder()
        _ = try service.createOneTimeCode(order)
        let again = #expect(throws: SimulatorError.self) { try service.createOneTimeCode(order) }
        #expect(again?.code == .alreadyRegistered)
        // The user can still get a code that is for push only.
        order.codes = nil
        _ = try service.createCode(order, at: Date())
        service.resetOneTimePasswords(of: "demo")
        order.codes = OneTimeCodeOrder()
        _ = try service.createOneTimeCode(order)
    }
}
