import Foundation
import PushBridgeCore
import PushBridgeInternals

/// Accounts, their notifications, and signed pushes that have not arrived yet.
///
/// Each account has a push credential and a TOTP credential.
struct GeneratedAccounts {
    let count: Int
    let notificationsEach: Int

    func write(to store: some CredentialStore) throws {
        var contents = StoreContents()
        for number in 0..<count {
            contents.pushCredentials.append(try push(number))
            contents.oathCredentials.append(try oath(number))
            contents.notifications += (0..<notificationsEach).map { notification($0, of: number) }
        }
        try store.add(contents)
    }

    func pushId(_ number: Int) -> String { String(format: "56E88A22-52E6-4B13-AAAA-%012d", number) }
    func oathId(_ number: Int) -> String { String(format: "56E88A22-52E6-4B13-BBBB-%012d", number) }
    func identifier(_ number: Int) -> String { profile(number).key.legacyIdentifier }

    /// Returns one of the notifications of an account's push credential; only the newest one is unanswered.
    func notification(_ index: Int, of number: Int) -> PushNotification {
        let sentAt = Self.start.addingTimeInterval(Double(index * count + number))
        var notification = PushNotification(
            id: String(format: "6B7C7D53-%04d-4000-8000-%012d", index, number),
            credentialId: pushId(number),
            messageId: "AUTHENTICATE:\(number)-\(index)",
            challenge: Self.challenge(),
            ttl: 120,
            sentAt: sentAt
        )
        notification.messageText = "Login attempt at Example Bank"
        notification.contextInfo =
            #"{"location":{"latitude":49.2,"longitude":-123.1},"remoteIp":"192.0.2.1"}"#
        notification.loadBalancer = "amlbcookie=01"
        notification.pending = index == notificationsEach - 1
        notification.approved = !notification.pending
        return notification
    }

    /// Returns the `userInfo` of a push that is newer than all stored notifications.
    func payload(_ number: Int, for credential: PushCredential) -> [AnyHashable: Any] {
        let sentAt = Int(Self.start.timeIntervalSince1970) + count * notificationsEach + number
        let claims: JSONValue = [
            "u": .string(credential.id), "c": .string(Self.challenge()), "t": "120", "k": "default",
            "i": .string(String(sentAt * 1000)), "m": "Login attempt at Example Bank",
            "l": "YW1sYmNvb2tpZT0wMQ==",
        ]
        let token = credential.sharedSecret.signedToken(claims: claims.data)
        return ["aps": ["messageId": "AUTHENTICATE:new-\(number)", "data": token]]
    }

    private func push(_ number: Int) throws -> PushCredential {
        let base = "https://openam.example.com/openam/json/alpha/push/sns/message?_action="
        guard
            let endpoints = PushEndpoints(
                registration: base + "register",
                authentication: base + "authenticate"
            )
        else { throw ChildProcess.Failure(description: "An address is invalid.") }
        var credential = PushCredential(
            id: pushId(number),
            account: profile(number),
            endpoints: endpoints,
            sharedSecret: .random(),
            createdAt: Self.start.addingTimeInterval(Double(number))
        )
        credential.userId = "id=customer-\(number),ou=user,dc=openam"
        return credential
    }

    private func oath(_ number: Int) throws -> OathCredential {
        OathCredential(
            id: oathId(number),
            account: profile(number),
            secret: .random(count: 20),
            movingFactor: .time(period: 30),
            createdAt: Self.start.addingTimeInterval(Double(number))
        )
    }

    private func profile(_ number: Int) -> AccountProfile {
        var profile = AccountProfile(issuer: "Example Bank", accountName: "customer-\(number)@example.com")
        profile.imageURL = "https://www.example.com/logo.png"
        profile.backgroundColor = "#519387"
        return profile
    }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func challenge() -> String { SharedSecret.random().withBase64 { $0 } }
}
