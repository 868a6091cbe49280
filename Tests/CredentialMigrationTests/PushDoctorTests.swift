import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The doctor reports nothing for sound stores, and reports the right finding for each single fault.
@Suite struct PushDoctorTests {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// The contents of a store, which are sound until a test changes them.
    struct Contents {
        var push: PushCredential
        var oath: OathCredential
        var token: PushDeviceToken? = PushDeviceToken(token: "f79bb71b", createdAt: now - 3600)
        var notifications: [PushNotification] = []
        var ledger: [LedgerEntry] = []
        var setting = PushDoctor.Setting()

        init() throws {
            let account = AccountProfile(issuer: "Bank", accountName: "alice")
            let endpoints = try #require(
                PushEndpoints(
                    registration: "https://am.example.com/push?_action=register",
                    authentication: "https://am.example.com/push?_action=authenticate"
                )
            )
            let secret = "c2VjcmV0LXNlY3JldC1f/w=="
            push = PushCredential(
                id: "push-1",
                account: account,
                endpoints: endpoints,
                secretText: secret,
                createdAt: now - 7200
            )
            push.userId = "alice"
            oath = OathCredential(
                id: "totp-1",
                account: account,
                type: .totp,
                secretText: "JBSWY3DPEHPK3PXP",
                algorithm: .sha1,
                digits: 6,
                createdAt: now - 7200
            )
            token?.environment = .production
            setting.environment = .production
        }

        func store(in store: any CredentialStore) throws {
            try store.write { view in
                try view.save(push)
                try view.save(oath)
                if let token { try view.save(token) }
                for notification in notifications { try view.save(notification) }
                for entry in ledger { try view.record(entry) }
            }
        }

        mutating func add(sentAt: Date, storedAt: Date, pending: Bool) {
            var notification = PushNotification(
                id: "n-\(notifications.count)",
                credentialId: "push-1",
                message: PushMessage(id: "AUTHENTICATE:1", challenge: "Y2hhbGxlbmdl"),
                ttl: 120,
                sentAt: sentAt,
                createdAt: storedAt
            )
            notification.pending = pending
            notifications.append(notification)
        }

        mutating func addEntry(of id: String) {
            let payload = Data(id.utf8)
            ledger.append(
                LedgerEntry(
                    record: RecordFingerprint(parts: ["entry"], payload: payload, occurrence: 0),
                    kind: .push,
                    key: "Bank-alice-push",
                    result: MigrationResult(.migrated, credentialId: id),
                    recordedAt: now
                )
            )
        }

        /// Adds a failed token update of the credential to the stored form of the device token.
        mutating func setBack(_ reason: String, count: Int) throws {
            var token = try #require(token)
            token.unconfirmedCredentialIds = ["push-1"]
            guard case .object(var members)? = JSONValue(json: try JSONEncoder().encode(token)),
                case .object(var extras)? = members["pushBridge"]
            else { throw CocoaError(.coderInvalidValue) }
            let setback: JSONValue = [
                "about": "push-1", "reason": .string(reason), "count": .integer(count),
                "date": .integer(Int(now.timeIntervalSinceReferenceDate) - 3600),
            ]
            extras["setbacks"] = .array([setback])
            members["pushBridge"] = .object(extras)
            let json = Data(JSONValue.object(members).text.utf8)
            self.token = try JSONDecoder().decode(PushDeviceToken.self, from: json)
        }
    }

    struct Plant: CustomTestStringConvertible, Sendable {
        let check: PushDoctor.Check
        let severity: PushDoctor.Severity
        let change: @Sendable (inout Contents) throws -> Void
        var testDescription: String { "\(check.rawValue), \(severity.rawValue)" }

        init(
            _ check: PushDoctor.Check,
            _ severity: PushDoctor.Severity,
            _ change: @escaping @Sendable (inout Contents) throws -> Void
        ) {
            self.check = check
            self.severity = severity
            self.change = change
        }
    }

    static let plants = [
        Plant(.ledgerAgrees, .warning) { $0.addEntry(of: "gone") },
        Plant(.credentialsSign, .fault) { contents in
            let sound = contents.push
            contents.push = PushCredential(
                id: sound.id,
                account: sound.account,
                endpoints: sound.endpoints,
                secretText: "!!",
                createdAt: sound.createdAt
            )
            contents.push.userId = sound.userId
        },
        Plant(.credentialsSign, .fault) { $0.oath.setSecret("1!") },
        Plant(.locksKnown, .warning) { $0.lock(by: "officeHours") },
        Plant(.accountsUnlocked, .note) { $0.lock(by: "deviceTampering") },
        Plant(.policiesKnown, .note) { contents in
            contents.push.account.policies = #"{"officeHours":{}}"#
            contents.oath.account = contents.push.account
        },
        Plant(.tokenPresent, .warning) { $0.token = nil },
        Plant(.tokenRecent, .note) { contents in
            contents.token = PushDeviceToken(token: "f79bb71b", createdAt: now - 181 * 24 * 3600)
        },
        Plant(.tokenEnvironment, .warning) { $0.token?.environment = .sandbox },
        Plant(.serversUpdated, .warning) { $0.token?.unconfirmedCredentialIds = ["push-1"] },
        Plant(.serversUpdated, .warning) { try $0.setBack("unreachable", count: 1) },
        Plant(.serversUpdated, .warning) { try $0.setBack("replaced", count: 1) },
        Plant(.userNamesKnown, .note) { $0.push.userId = nil },
        Plant(.userNamesKnown, .warning) { try $0.setBack("userUnknown", count: 1) },
        Plant(.deviceNotReplaced, .fault) { try $0.setBack("replaced", count: 2) },
        Plant(.clockAgrees, .warning) { $0.add(sentAt: now - 60, storedAt: now - 3600, pending: false) },
        Plant(.clockAgrees, .warning) { contents in
            contents.token = PushDeviceToken(token: "f79bb71b", createdAt: now + 3600)
        },
        Plant(.pushesAnswered, .note) { $0.add(sentAt: now - 60, storedAt: now - 59, pending: true) },
        Plant(.pushesNotExpired, .note) { $0.add(sentAt: now - 600, storedAt: now - 599, pending: true) },
        Plant(.removalsDone, .warning) { contents in
            let json = Data(#"{"since":1,"isOfAccount":false}"#.utf8)
            contents.push.owedRemoval = try JSONDecoder().decode(UnconfirmedRemoval.self, from: json)
        },
    ]

    @Test(arguments: plants)
    func theDoctorReportsOnlyThePlantedFault(_ plant: Plant) throws {
        var contents = try Contents()
        try plant.change(&contents)
        let store = MemoryCredentialStore()
        try contents.store(in: store)
        let doctor = PushDoctor(of: store, setting: contents.setting, at: Self.now)
        #expect(doctor.findings.map(\.check) == [plant.check])
        #expect(doctor.findings.map(\.severity) == [plant.severity])
        #expect(doctor.findings.map(\.count) == [1])
    }

    /// Returns the contents of a sound store, with a push and a ledger entry.
    private func sound() throws -> Contents {
        var contents = try Contents()
        contents.addEntry(of: "push-1")
        contents.add(sentAt: Self.now - 600, storedAt: Self.now - 599, pending: false)
        return contents
    }

    @Test func theDoctorReportsNothingForASoundStore() throws {
        let folder = try TemporaryFolder()
        let database = try database(in: folder)
        let keychain = KeychainCredentialStore(keychain: InMemoryKeychain())
        for store in [MemoryCredentialStore(), keychain, database] as [any CredentialStore] {
            var contents = try sound()
            contents.setting.hasExtension = true
            contents.setting.sharedFolder = URL(fileURLWithPath: folder.path(""))
            try contents.store(in: store)
            let doctor = PushDoctor(of: store, setting: contents.setting, at: Self.now)
            #expect(doctor.findings == [])
            #expect((doctor.pushCredentials, doctor.oathCredentials, doctor.notifications) == (1, 1, 1))
        }
    }

    private func database(in folder: TemporaryFolder) throws -> SQLiteCredentialStore {
        let path = folder.path("new.db")
        return try SQLiteCredentialStore(path: path, key: KeyFile(path: "\(path).key"), mode: .create)
    }

    @Test(arguments: [
        (KeychainAccessibility.afterFirstUnlockThisDeviceOnly, PushDoctor.Check.accountsTravel),
        (.whenUnlocked, .extensionCanRead),
    ])
    func theDoctorReportsAnUnsuitableAccessibilityClass(
        _ accessibility: KeychainAccessibility,
        _ check: PushDoctor.Check
    ) throws {
        let store = KeychainCredentialStore(keychain: InMemoryKeychain(), accessibility: accessibility)
        var contents = try sound()
        contents.setting.hasExtension = true
        try contents.store(in: store)
        let doctor = PushDoctor(of: store, setting: contents.setting, at: Self.now)
        #expect(doctor.findings.map(\.check) == [check])
        #expect(doctor.findings.map(\.severity) == [.warning])
    }

    @Test func theDoctorReportsAMigrationThatTheGuardHolds() throws {
        var contents = try sound()
        let store = MemoryCredentialStore()
        try contents.store(in: store)
        let state = MemoryRolloutStorage()
        contents.setting.rollout = MigrationRollout(state)
        for writes in 1...2 {
            #expect(PushDoctor(of: store, setting: contents.setting, at: Self.now).findings == [])
            // The process dies in each of the two attempts. The second attempt first records that the first was
            // interrupted, so it makes one more write.
            let dying = MigrationRollout(FailingAfter(state, writes: writes))
            #expect(throws: Death.self) {
                try dying.attempt(.apply, yield: { (_: Void) in .nothing }) { began in
                    try began()
                    throw Death()
                }
            }
        }
        let held = PushDoctor(of: store, setting: contents.setting, at: Self.now)
        #expect(held.findings.map(\.check) == [.migrationNotHeld])
        #expect(held.findings.map(\.severity) == [.warning])
        contents.setting.rollout = MigrationRollout(UnreadableState())
        let unreadable = PushDoctor(of: store, setting: contents.setting, at: Self.now)
        #expect(unreadable.findings.map(\.check) == [.migrationNotHeld])
    }

    private struct UnreadableState: RolloutStorage {
        func read() throws -> Data? { throw Death() }
        func write(_ state: Data) throws { throw Death() }
    }

    @Test func theDoctorReportsADamagedRecordAndALockedStore() throws {
        let keychain = InMemoryKeychain()
        let store = KeychainCredentialStore(keychain: keychain)
        try sound().store(in: store)
        let name = KeychainItem.Name(service: KeychainServices().notifications, account: "broken")
        try keychain.add(KeychainItem(name, data: Data("{".utf8), accessibility: .afterFirstUnlock))
        let doctor = PushDoctor(of: store, at: Self.now)
        #expect(doctor.findings.map(\.check) == [.storeReadable])
        #expect(doctor.hasFaults)
        keychain.isLocked = true
        let locked = PushDoctor(of: store, at: Self.now)
        #expect(locked.findings.map(\.check) == [.storeReadable])
        #expect(!locked.hasFaults)
    }

    @Test func theDoctorReportsFaultsOfTheFileTheKeyAndTheFolder() throws {
        let folder = try TemporaryFolder()
        let store = try database(in: folder)
        try sound().store(in: store)
        var setting = PushDoctor.Setting()
        setting.sharedFolder = URL(fileURLWithPath: folder.path("elsewhere"))
        #expect(
            PushDoctor(of: store, setting: setting, at: Self.now).findings.map(\.check) == [.appGroup]
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
        let open = PushDoctor(of: store, at: Self.now)
        #expect(open.findings.map(\.check) == [.storePrivate])
        #expect(open.hasFaults)
        let wrong = PushDoctor(at: Self.now) {
            let key = KeyFile(path: folder.path("another.key"))
            _ = try key.keyForNewStore()
            return try SQLiteCredentialStore(path: store.path, key: key, mode: .readOnly)
        }
        #expect(wrong.findings.map(\.check) == [.keyReadable])
        #expect(wrong.hasFaults)
    }

    @Test(arguments: [
        "everyday.sqlite", "everyday.plist", "everyday.jsonl", "everyday-sdk-2.0.sqlite",
        "everyday-sdk-3.1.sqlite",
        "everyday-sdk-3.3.sqlite", "everyday-sdk-4.0.sqlite",
    ])
    func soundFixturesShowNoFault(_ name: String) throws {
        let source = MigrationSource.file(LegacyFixtures.url(name))
        let before = try PushDoctor(of: source, at: Self.now)
        #expect(!before.hasFaults)
        #expect(before.findings.contains { $0.check == .userNamesKnown && $0.severity == .note })
        let store = MemoryCredentialStore()
        _ = try migrate(try source.opened(), to: store)
        let after = PushDoctor(of: store, at: Self.now)
        #expect(!after.hasFaults)
        #expect(after.pushCredentials == before.pushCredentials)
        #expect(after.oathCredentials == before.oathCredentials)
        #expect(after.notifications == before.notifications)
    }

    @Test func damagedAndSealedFixturesShowTheirFault() throws {
        let damaged = try PushDoctor(of: .file(LegacyFixtures.url("damaged.sqlite")), at: Self.now)
        #expect(damaged.findings.contains { $0.check == .storeReadable && $0.severity == .fault })
        let sealed = try PushDoctor(of: .file(LegacyFixtures.url("sealed-mixed.jsonl")), at: Self.now)
        #expect(sealed.findings.contains { $0.check == .keyReadable && $0.severity == .fault })
    }

    /// The doctor counts the records of a legacy store that cannot be converted, by outcome and reason.
    @Test func recordsThatCannotBeConvertedAreCountedByReason() throws {
        func counts(_ source: MigrationSource) throws -> [String] {
            try PushDoctor(of: source, at: Self.now).unconvertible
                .map { "\($0.outcome.rawValue) \($0.number ?? "") \($0.count)" }
        }
        let damaged = try counts(.file(LegacyFixtures.url("damaged.sqlite")))
        #expect(damaged == ["damaged PB-R014 23", "damaged PB-R012 10"])
        let sealed = try counts(.file(LegacyFixtures.url("sealed-mixed.jsonl")))
        #expect(sealed == ["undecryptable PB-R018 9"])
        #expect(try counts(.file(LegacyFixtures.url("everyday.sqlite"))) == [])
        var legacy = LegacyStoreBuilder()
        try legacy.totp(algorithm: "ripemd160")
        #expect(try counts(.store(legacy.source)) == ["unsupported PB-R015 1"])
        let store = MemoryCredentialStore()
        _ = try migrate(try MigrationSource.file(LegacyFixtures.url("damaged.sqlite")).opened(), to: store)
        #expect(PushDoctor(of: store, at: Self.now).unconvertible == [])
    }

    @Test func copiedSecretOfTheNewSDKIsAFault() throws {
        let json = NewSDKSamples.push("raw", secret: "c2VjcmV0LXNlY3JldC1f_w")
        let item = LegacyItem(
            position: .index(0),
            service: .mechanism,
            key: "1",
            payload: .newSDK(Data(json.utf8))
        )
        let doctor = try PushDoctor(of: .store(MemoryLegacySource([item])), at: Self.now)
        #expect(doctor.findings.contains { $0.check == .credentialsSign && $0.severity == .fault })
    }

    @Test func aReportOfTheDoctorIsDecodableAndContainsNoUserData() throws {
        let doctor = try PushDoctor(of: .file(LegacyFixtures.url("everyday.sqlite")), at: Self.now)
        let json = try JSONEncoder().encode(doctor)
        #expect(try JSONDecoder().decode(PushDoctor.self, from: json) == doctor)
        let text = String(decoding: json, as: UTF8.self)
        let store = MemoryCredentialStore()
        _ = try migrate(try MigrationSource.file(LegacyFixtures.url("everyday.sqlite")).opened(), to: store)
        try store.read { view in
            for credential in try view.pushCredentials() {
                for secret in [
                    credential.id, credential.accountName, credential.issuer, credential.serverEndpoint,
                ] {
                    #expect(!text.contains(secret))
                }
            }
        }
    }

    @Test func theDocumentHasEveryCheck() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/doctor.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == PushDoctor.Check.allCases.count)
        for (row, check) in zip(rows, PushDoctor.Check.allCases) {
            #expect(row.hasPrefix("| `\(check.rawValue)` | \(check.number) |"))
            #expect(row.hasSuffix("| \(check.meaning) | \(check.remedy) |"))
        }
    }
}

extension PushDoctorTests {
    /// The number of a check or a reason must never change, because support desks search for these numbers.
    @Test func theNumbersOfChecksAndReasonsDoNotChange() {
        #expect(PushDoctor.Check.storeReadable.number == "PB-D001")
        #expect(PushDoctor.Check.serversUpdated.number == "PB-D012")
        #expect(PushDoctor.Check.recordsArrived.number == "PB-D023")
        #expect(Set(PushDoctor.Check.allCases.map(\.number)).count == PushDoctor.Check.allCases.count)
        #expect(MigrationReason.otherSecret.number == "PB-R001")
        #expect(MigrationReason.damaged.number == "PB-R014")
        #expect(Set(MigrationReason.allCases.map(\.number)).count == MigrationReason.allCases.count)
    }

    @Test func theDocumentHasEveryReason() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/outcomes.md"), encoding: .utf8)
        for reason in MigrationReason.allCases {
            #expect(page.contains("\n| \(reason.number) | `\(reason.rawValue)` | "), "\(reason)")
        }
    }
}

extension PushDoctorTests.Contents {
    mutating func lock(by policy: String) {
        push.account.isLocked = true
        push.account.lockingPolicy = policy
        push.account.policies = #"{"\#(policy)":{}}"#
        oath.account = push.account
    }
}
