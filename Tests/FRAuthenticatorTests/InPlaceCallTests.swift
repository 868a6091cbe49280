import FRAuthenticator
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The number of keychain operations that each call of the legacy API needs in a new process.
///
/// Only the list of all accounts may need more operations if more items are stored.
@Suite("Keychain calls in place")
struct InPlaceCallTests {
    /// A call of the legacy API.
    enum APICall: CaseIterable {
        case list
        case code
        case counterCode
        case accept
        case enrolPush
        case enrolCode
        case deletePush
        case deleteCode
        case receive
    }

    /// The largest number of keychain operations of each call, with 20 accounts.
    ///
    /// Most limits are two above the number of operations in an SDK: the successor SDK for deletions and for receiving,
    /// the legacy SDK for the other calls. Three limits are higher. To accept a push (8 operations in the SDK),
    /// PushBridge first stores a claim, so that no other process answers the push. To enrol a push mechanism (9), it
    /// first stores the changes beside the items, so that the next process can complete the enrolment. To delete a
    /// push mechanism (2), it also lists the notifications and reads the token.
    private static let limits: [(APICall, Int)] = [
        (.list, 166), (.code, 3), (.counterCode, 6), (.accept, 11), (.enrolPush, 15), (.enrolCode, 11),
        (.deletePush, 6), (.deleteCode, 4), (.receive, 6),
    ]

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

    @Test(arguments: Self.limits)
    func noCallNeedsMoreOperationsThanItsLimit(_ call: APICall, _ limit: Int) async throws {
        try await enrolTwentyAccounts()
        let calls = try await calls(of: call, in: inPlace())
        #expect(calls.reads + calls.writes <= limit, "\(calls)")
    }

    @Test func theTableOfLimitsContainsEveryCall() {
        #expect(Self.limits.map(\.0) == APICall.allCases)
    }

    /// Enrols accounts that each have a push mechanism and a one-time-password mechanism.
    ///
    /// The first account has an HOTP mechanism, and the other accounts have TOTP mechanisms.
    private func enrolTwentyAccounts() async throws {
        let fixture = try inPlace()
        for number in 0..<20 {
            try await fixture.enrol("user\(number)")
            let type = number == 0 ? "hotp" : "totp"
            let uri = "otpauth://\(type)/Example:user\(number)?secret=JBSWY3DPEHPK3PXP&issuer=Example"
            _ = try await fixture.create(uri)
        }
    }

    private func stored<Kind: Mechanism>(_ account: String, _ process: ClientFixture) throws -> Kind {
        let account = try #require(process.client.getAccount(identifier: "Example-\(account)"))
        return try #require(account.mechanisms.compactMap { $0 as? Kind }.first)
    }

    /// Returns the operations of one call, after the process has read the objects that the call uses.
    private func calls(of call: APICall, in process: ClientFixture) async throws -> CountingKeychain.Calls {
        switch call {
        case .list:
            return try await keychain.calls {
                #expect(process.client.getAllAccounts().flatMap(\.mechanisms).count == 40)
            }
        case .code:
            let mechanism: TOTPMechanism = try stored("user7", process)
            return try await keychain.calls { _ = try mechanism.generateCode() }
        case .counterCode:
            let mechanism: HOTPMechanism = try stored("user0", process)
            return try await keychain.calls { _ = try mechanism.generateCode() }
        case .accept:
            let push = try #require(try process.deliver(to: try stored("user7", process)))
            return try await keychain.calls {
                let report = await outcome { push.accept(onSuccess: $0, onError: $1) }
                #expect(report.error == nil)
            }
        case .enrolPush:
            let uri = try ClientFixture.uri("new")
            return try await keychain.calls { _ = try await process.create(uri) }
        case .enrolCode:
            let uri = "otpauth://totp/Example:new?secret=JBSWY3DPEHPK3PXP&issuer=Example"
            return try await keychain.calls { _ = try await process.create(uri) }
        case .deletePush:
            let mechanism: PushMechanism = try stored("user7", process)
            return try await keychain.calls {
                #expect(process.client.removeMechanism(mechanism: mechanism))
            }
        case .deleteCode:
            let mechanism: TOTPMechanism = try stored("user7", process)
            return try await keychain.calls {
                #expect(process.client.removeMechanism(mechanism: mechanism))
            }
        case .receive:
            let mechanism: PushMechanism = try stored("user7", process)
            let id = mechanism.mechanismUUID
            let credential = try #require(try process.store.read { try $0.pushCredential(id: id) })
            return try await keychain.calls { try receive(1..<2, process, credential) }
        }
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
