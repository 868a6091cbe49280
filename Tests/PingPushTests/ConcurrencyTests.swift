import Foundation
import PingPush
import PushBridgeTestSupport
import Testing

/// Many calls at the same time.
///
/// `Scripts/checks/sanitize` runs these tests with Thread Sanitizer.
@Suite("Concurrency")
struct ConcurrencyTests {
    // The storages that are not listed here read every notification to find one. So the smaller tests below cover these
    // storages.
    @Test(arguments: [StoreKind.memory, .sqlite])
    func aThousandAnswersToAThousandPushesSendOneRequestEach(_ kind: StoreKind) async throws {
        let (fixture, server) = try await start(kind)
        let client = fixture.client
        let ids = try await receive(1_000, client)
        let answers = try await concurrently(ids) { id, index in
            try await index.isMultiple(of: 2) ? client.approveNotification(id) : client.denyNotification(id)
        }
        #expect(answers.filter { $0 }.count == 1_000)
        #expect(server.requestsByMessage.filter { $0.key.hasPrefix("AUTHENTICATE") }.count == 1_000)
        #expect(server.requestsByMessage.filter { $0.value != 1 } == [:])
        let stored = try await client.getAllNotifications()
        #expect(stored.filter(\.approved).count == 500)
        #expect(stored.filter(\.isDenied).count == 500)
        #expect(stored.filter { $0.answerClaim != nil } == [])
    }

    @Test(arguments: StoreKind.allCases)
    func aHundredAnswersToOnePushAreOneRequest(_ kind: StoreKind) async throws {
        let (fixture, server) = try await start(kind)
        let client = fixture.client
        let id = try #require(await receive(1, client).first)
        let answers = try await concurrently(0..<100) { _, _ in try await client.approveNotification(id) }
        #expect(answers.filter { $0 }.count == 1)
        #expect(answers.filter { !$0 }.count == 99)
        #expect(server.requestsByMessage["AUTHENTICATE:0"] == 1)
        #expect(try await client.getNotification(id)?.approved == true)
    }

    @Test(arguments: StoreKind.allCases)
    func onePushReceivedAHundredTimesAtOnceIsStoredOnce(_ kind: StoreKind) async throws {
        let (fixture, _) = try await start(kind)
        let client = fixture.client
        let credential = try #require(await client.getCredentials().first)
        let payload = PushClientFixture.payload(for: credential).text
        let ids = try await concurrently(0..<100) { _, _ in
            try await client.processNotification(message: payload)?.id
        }
        #expect(Set(ids).count == 1)
        #expect(try await client.getAllNotifications().count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func pushesAndAnswersAreSeenByEveryStream(_ kind: StoreKind) async throws {
        let (fixture, _) = try await start(kind)
        let client = fixture.client
        let streams = (0..<4).map { _ in client.notifications }
        let ids = try await receive(50, client)
        _ = try await concurrently(ids.dropLast()) { id, _ in try await client.approveNotification(id) }
        for stream in streams {
            #expect(await stream.contains { $0.map(\.id) == ids.suffix(1) })
        }
        await client.close()
        for stream in streams { #expect(await stream.contains { _ in true } == false) }
    }

    private func start(_ kind: StoreKind) async throws -> (PushClientFixture, CountingTransport) {
        let server = CountingTransport()
        let fixture = try await PushClientFixture(kind) {
            $0.transport = server
            $0.notificationCleanupConfig.cleanupMode = .none
        }
        try await fixture.enrol()
        return (fixture, server)
    }

    /// Receives pushes concurrently.
    ///
    /// Returns the ids of the pushes in the order of their message ids.
    private func receive(_ count: Int, _ client: PushClient) async throws -> [String] {
        let credential = try #require(await client.getCredentials().first)
        return try await concurrently(0..<count) { number, _ in
            let payload = PushClientFixture.payload(for: credential, messageId: "AUTHENTICATE:\(number)")
            return try #require(await client.processNotification(message: payload.text)).id
        }
    }

    /// Runs `work` concurrently for all elements.
    ///
    /// Returns the results in the order of the elements.
    private func concurrently<Element: Sendable, Result: Sendable>(
        _ elements: some Collection<Element>,
        _ work: @escaping @Sendable (Element, Int) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask { (index, try await work(element, index)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }
                .map(\.value)
        }
    }
}
