import Foundation
import PingOath
import PingPush

/// Checks that the successor SDK's own storages read the credentials, notifications and device token of the fixture.
/// - Returns: A sentence for each difference.
/// - Throws: The errors of the SDK.
public func differencesThatTheSDKSees() async throws -> [String] {
    let push = try await PushKeychainStorage().getAllPushCredentials()
    let pushes = push.map { "\($0.issuer), \($0.accountName): \($0.serverEndpoint)" }
    let server = "https://openam.example.com:8443/openam/json/realms/root/push/sns/message"
    let secrets = try push.map { try JSONDecoder().decode(Secret.self, from: try JSONEncoder().encode($0)) }

    var passwords: [String] = []
    for credential in try await OathKeychainStorage().getAllOathCredentials() {
        let code = URLComponents(string: try await credential.toUri())
        let secret = code?.queryItems?.first { $0.name == "secret" }?.value ?? ""
        let kind = "\(credential.oathType.rawValue) \(credential.oathAlgorithm.rawValue)"
        passwords.append(
            "\(credential.issuer), \(credential.accountName): \(kind) \(credential.digits) \(secret)"
        )
    }
    let notifications = try await PushKeychainStorage().getAllPushNotifications()
    let token = try await PushKeychainStorage().getCurrentPushDeviceToken()

    var differences: [String] = []
    func expect(_ isMet: Bool, _ sentence: String) { if !isMet { differences.append(sentence) } }
    expect(
        Set(pushes) == ["ForgeRock, demo: \(server)", "Combined, carol: \(server)"],
        "The SDK reads unexpected push credentials: \(pushes)"
    )
    // The successor SDK requires standard base64, but the legacy SDK stored base64url.
    expect(
        Set(secrets.map(\.sharedSecret)) == [
            "1xwCy9oR9v5haessTjDm+K/HNfgvzZ3/MOm6X0cdeKw=", "ZMCnQ+NlnUfdcTO2CgkSmMVRvyVc+toEziYcZsWzhSI=",
        ],
        "The SDK reads unexpected secrets."
    )
    expect(
        Set(passwords) == [
            "Acme Bank, alice@example.com: totp SHA256 8 3NJTEXP7IZDABNYGCPKZ575UQ4C4DOOA",
            "Acme Bank, bob: hotp SHA1 6 BZHEEXMYX6JDGOBGIJKE4YTTKQALGVSO",
            "Combined, carol: totp SHA1 6 7N5KNKQVGPQSG6CZ5CSS43JWVWJBJRJX",
        ],
        "The SDK reads unexpected one-time-password credentials: \(passwords)"
    )
    expect(
        notifications.count == 4
            && notifications.allSatisfy { note in push.contains { $0.id == note.credentialId } },
        "The SDK reads unexpected notifications: \(notifications.map(\.messageId))"
    )
    expect(token != nil, "The SDK reads no device token.")
    return differences
}

private struct Secret: Decodable {
    let sharedSecret: String
}
