import FRAuthenticator
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The number of reads of the legacy items that each operation needs in a new process.
///
/// The number must not depend on the number of stored items.
@Suite("Keychain calls in place")
struct InPlaceCallTests {
    private let keychain = CountingKeychain()

    private func inPlace() throws -> ClientFixture {
        try ClientFixture(LegacyItemStore(LegacyKeychain(keychain)))
    }

    /// Returns the previous release of the app, which has the legacy SDK.
    private func previousRelease() throws -> ClientFixture {
        try ClientFixture(storage: SDKKeychain(keychain))
    }

    /// Receives pushes with these numbers; each push was sent a millisecond after the previous push.
    private func receive(_ numbers: Range<Int>, _ fixture: ClientFixture, _ credential: PushCredential) throws
    {
        for number in numbers {
            let claims: JSONValue = [
                "u": .string(credential.id), "c": "Y2hhbGxlbmdl",
                "i": .string(String(1_700_000_000_000 + number)),
            ]
            let token = credential.sharedSecret.signedToken(claims: claims.data)
            let aps = ["messageId": "message-\(number)", "data": token]
            let push = fixture.handler.application(.shared, didReceiveRemoteNotification: ["aps": aps])
            #expect(push != nil)
        }
    }

    @Test(arguments: [true, false])
    func receivingAPushDoesNotDependOnTheStoredPushes(_ areStoredByTheSDK: Bool) async throws {
        let fixture = try inPlace()
        let id = try await fixture.enrol().mechanismUUID
        let credential = try #require(try fixture.store.read { try $0.pushCredential(id: id) })
        var calls: [CountingKeychain.Calls] = []
        var opened: [Int] = []
        for numbers in [1..<3, 4..<60] {
            try receive(numbers, areStoredByTheSDK ? previousRelease() : inPlace(), credential)
            let next = numbers.upperBound..<(numbers.upperBound + 1)
            let process = try inPlace()
            calls.append(try await keychain.calls { try receive(next, process, credential) })
            opened.append(keychain.opened)
        }
        #expect(calls[0] == calls[1])
        #expect(opened[0] == opened[1])
        let process = try previousRelease()
        let sdk = try await keychain.calls { try receive(100..<101, process, credential) }
        #expect(calls[0].reads + calls[0].writes <= sdk.reads + sdk.writes + 2)
    }

    @Test(arguments: [true, false])
    func aRepeatedPushReturnsTheStoredNotification(_ isStoredByTheSDK: Bool) async throws {
        let mechanism = try await inPlace().enrol()
        for (number, claims) in [["i": "1700000000001"], [:] as JSONValue].enumerated() {
            let id = "message-\(number)"
            let fixture = isStoredByTheSDK ? try previousRelease() : try inPlace()
            let first = try #require(try fixture.deliver(claims, to: mechanism, messageId: id))
            let again = try #require(try inPlace().deliver(claims, to: mechanism, messageId: id))
            #expect(again.identifier == first.identifier)
            #expect(try inPlace().client.getAllNotifications().count == number + 1)
        }
    }

    @Test func aMessageIdOfAnotherCredentialIsRefused() async throws {
        let (first, second) = (try await inPlace().enrol("first"), try await inPlace().enrol("second"))
        #expect(try inPlace().deliver(["i": "1700000000001"], to: first) != nil)
        #expect(try inPlace().deliver(["i": "1700000000002"], to: second) == nil)
        #expect(try inPlace().client.getAllNotifications().count == 1)
    }
}
