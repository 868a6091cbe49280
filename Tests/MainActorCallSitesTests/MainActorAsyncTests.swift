import CredentialMigration
import Foundation
import PingLogger
import PingOath
import PingPush
import PushBridgeTestSupport
import Testing

/// The protocols and closures of the async API and of a migration in an app whose default isolation is the main actor.
@Suite("The async API in an app whose default isolation is the main actor")
struct MainActorAsyncTests {
    @Test func aMainActorStorageRunsOnTheMainThreadAndAHandlerElsewhere() async throws {
        let (stored, handled) = (CallLog(), CallLog())
        let storage = AppPushStorage(stored)
        let client = try await PushClient.createClient { config in
            config.storage = storage
            config.customPushHandlers = [PushPlatform.pingAM.rawValue: AppPushHandler(handled)]
            config.logger = AppAsyncLogger(CallLog())
        }
        let credential = try await client.saveCredential(
            PushCredential(
                id: "a",
                issuer: "Example",
                accountName: "babs",
                serverEndpoint: "https://am.example.com/push",
                sharedSecret: "c2VjcmV0LXNlY3JldA==",
                createdAt: Date(timeIntervalSince1970: 1_700_000_000)
            )
        )
        #expect(try await client.setDeviceToken("00ff"))
        let push = try #require(try await client.processNotification(message: "own:\(credential.id)"))
        #expect(try await client.approveNotification(push.id))
        #expect(storage.credentials.map(\.id) == ["a"])
        #expect(storage.notifications.map(\.approved) == [true])
        #expect(stored.elsewhere == [])
        #expect(
            stored.onMain.isSuperset(of: [
                "storePushCredential(_:)", "storePushDeviceToken(_:)", "storePushNotification(_:)",
                "updatePushNotification(_:)",
            ])
        )
        #expect(handled.onMain == [])
        #expect(
            handled.elsewhere.isSuperset(of: [
                "canHandle(message:)", "parseMessage(message:)",
                "setDeviceToken(credential:deviceToken:params:)",
                "sendApproval(credential:notification:params:)",
            ])
        )
    }

    @Test func aStorageThatIsAnActorAndALoggerAreCalledOffTheMainThread() async throws {
        let (stored, logged) = (CallLog(), CallLog())
        let client = try await OathClient.createClient { config in
            config.storage = AppOathStorage(stored)
            config.logger = AppAsyncLogger(logged)
        }
        let credential = try await client.addCredentialFromUri(
            "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        )
        #expect(try await client.getCredentials() == [credential])
        try await client.close()
        #expect(stored.elsewhere.isSuperset(of: ["storeOathCredential(_:)", "getAllOathCredentials()"]))
        #expect((stored.onMain, logged.onMain) == ([], []))
        #expect(logged.elsewhere == ["d(_:)"])
    }

    /// The closures are `@Sendable`, so the compiler requires `await` where they use state of the main actor.
    @Test func aGateAndAReportMayHopToTheMainActor() async throws {
        let (kept, model) = (CallLog(), RolloutModel())
        let rollout = MigrationRollout(
            AppRolloutStorage(kept),
            gate: MigrationGate { step in
                await MainActor.run { model.asked.append(step) }
                return .go
            },
            report: { event in await MainActor.run { model.outcomes.append(event.outcome) } }
        )
        let migration = CredentialMigration(from: .sample, to: MemoryCredentialStore())
        let receipt = try await rollout.migrate(migration)
        await rollout.deliver()
        guard case .done(.some(let receipt)) = receipt else {
            Issue.record("Nothing was migrated.")
            return
        }
        #expect(receipt.records.map(\.result.isVerified) == [true])
        #expect(model.asked == [.apply])
        #expect(model.outcomes == [.complete])
        #expect((kept.onMain, kept.elsewhere) == ([], ["read()", "write(_:)"]))
    }

    /// A progress closure is called on the caller's thread, so it may use state of the caller's actor.
    @Test func progressIsReportedOnTheCallersThread() throws {
        let (calls, model) = (CallLog(), RolloutModel())
        let migration = CredentialMigration(from: .sample, to: MemoryCredentialStore())
        _ = try migration.plan { _ in calls.record("plan") }
        _ = try migration.migrate { _ in
            calls.record("migrate")
            model.batches += 1
        }
        #expect((calls.onMain, calls.elsewhere) == (["plan", "migrate"], []))
        #expect(model.batches == 1)
    }

    @Test func aWriterOfLegacyRecordsStaysNonisolated() async throws {
        let calls = CallLog()
        let failure = await inBackground { () -> String? in
            let writer: any LegacyStoreWriting = AppWriter(calls)
            do {
                try writer.write(archive: Data(), service: .account, key: "a")
                try writer.finish()
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(failure == nil)
        #expect((calls.elsewhere, calls.onMain) == (["write(archive:service:key:)", "finish()"], []))
    }
}

extension MigrationSource {
    /// A source with one account.
    fileprivate nonisolated static var sample: MigrationSource {
        let account = #"{"issuer":"Example","accountName":"babs","timeAdded":1700000000000}"#
        let item = LegacyItem(
            position: .index(0),
            service: .account,
            key: "Example-babs",
            payload: .json(Data(account.utf8))
        )
        return MigrationSource { MemoryLegacySource([item]) }
    }
}
