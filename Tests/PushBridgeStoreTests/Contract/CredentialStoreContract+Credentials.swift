import Foundation
import PushBridgeCore
import Testing

extension CredentialStoreContract {
    @Test(arguments: StoreKind.general)
    func credentialsRoundTrip(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let pushes = try [.sample("sparse"), PushCredential.sample("full", account: .other).filled()]
        let oaths = try [.sample("sparse"), OathCredential.sample("full", account: .other).filled()]
        try store.write { view throws in
            try pushes.forEach(view.save)
            try oaths.forEach(view.save)
        }
        try store.read { view throws in
            #expect(try pushes.map { try view.pushCredential(id: $0.id) } == pushes)
            #expect(try oaths.map { try view.oathCredential(id: $0.id) } == oaths)
        }
    }

    @Test(arguments: StoreKind.general, awkwardTexts)
    func textRoundTripsByteForByte(_ kind: StoreKind, _ text: String) throws {
        let store = try kind.makeStore()
        let account = AccountKey(issuer: text, accountName: text)
        let push = try PushCredential.sample("id" + text, account: account).filled(text: text)
        let oath = try OathCredential.sample("id" + text, account: account).filled(text: text)
        let notification = PushNotification.sample("id" + text, of: text, messageId: text).filled(text: text)
        try store.write { view throws in
            try view.save(push)
            try view.save(oath)
            try view.save(notification)
        }
        try store.read { view throws in
            #expect(try view.pushCredential(id: push.id) == push)
            #expect(try view.oathCredential(id: oath.id) == oath)
            #expect(try view.notification(id: notification.id) == notification)
            #expect(try view.notification(messageId: text) == notification)
            #expect(try view.notifications(RecordQuery(owner: text)).values == [notification])
            let found = try view.pushCredentials(account: account).values
            // Strings that compare equal can consist of different bytes, so the test compares the bytes.
            #expect(found.map { Array($0.issuer.utf8) } == [Array(text.utf8)])
            #expect(found.map { Array($0.policies?.utf8 ?? "absent".utf8) } == [Array(text.utf8)])
        }
    }

    @Test(arguments: StoreKind.general, awkwardDates)
    func datesRoundTripBitForBit(_ kind: StoreKind, _ date: Date) throws {
        let store = try kind.makeStore()
        let push = try PushCredential.sample(createdAt: date).filled(date: date)
        let oath = try OathCredential.sample(createdAt: date).filled(date: date)
        let notification = PushNotification.sample(sentAt: date).filled(date: date)
        var token = PushDeviceToken(tokenId: "00ff", createdAt: date)
        token.unconfirmedCredentialIds = ["one", "\"two\n"]
        try store.write { view throws in
            try view.save(push)
            try view.save(oath)
            try view.save(notification)
            try view.save(token)
        }
        try store.read { view throws in
            #expect(try view.pushCredentials().values == [push])
            #expect(try view.oathCredentials().values == [oath])
            #expect(try view.notifications().values == [notification])
            #expect(try view.deviceToken() == token)
        }
    }

    @Test(arguments: StoreKind.general)
    func absentAndEmptyLegacyDetailsDiffer(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let none = LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
        let empty = LegacyRegistration(messageId: "", challenge: nil, loadBalancer: "")
        let variants = [
            nil, LegacyDetails(), LegacyDetails(version: 0), LegacyDetails(registration: none),
            LegacyDetails(registration: empty),
        ]
        let pushes = try variants.enumerated().map { index, details in
            var credential = try PushCredential.sample("\(index)")
            credential.legacy = details
            return credential
        }
        let oaths = try variants.enumerated().map { index, details in
            var credential = try OathCredential.sample("\(index)")
            credential.legacy = details
            return credential
        }
        try store.write { view throws in
            try pushes.forEach(view.save)
            try oaths.forEach(view.save)
        }
        try store.read { view throws in
            #expect(try view.pushCredentials().values == pushes)
            #expect(try view.oathCredentials().values == oaths)
        }
    }

    @Test(arguments: StoreKind.general)
    func everyKindOfOneTimePasswordCredentialRoundTrips(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let factors: [OathMovingFactor] = [
            .time(period: 15), .time(period: .max), .counter(0), .counter(.max), .counter(1 << 33),
        ]
        let secret = try #require(SharedSecret(bytes: Data((0...255).map { UInt8($0) })))
        let credentials = try OathAlgorithm.allCases.flatMap { algorithm in
            try factors.enumerated().map { index, factor in
                OathCredential(
                    id: "\(algorithm)-\(index)",
                    account: AccountProfile(issuer: "", accountName: ""),
                    password: try OneTimePassword(secret: secret, algorithm: algorithm, digits: index + 1),
                    movingFactor: factor,
                    createdAt: Date(timeIntervalSince1970: 0)
                )
            }
        }
        try store.write { try credentials.forEach($0.save) }
        try store.read { view throws in
            #expect(try credentials.map { try view.oathCredential(id: $0.id) } == credentials)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func missingRecordsAreNil(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.read { view throws in
            #expect(try view.pushCredential(id: "push") == nil)
            #expect(try view.oathCredential(id: "") == nil)
            #expect(try view.notification(id: "x") == nil)
            #expect(try view.notification(messageId: "x") == nil)
            #expect(try view.deviceToken() == nil)
            #expect(try view.ledgerEntry(for: .sample("x")) == nil)
            #expect(try view.account(.sample) == nil)
            #expect(try view.pushCredentials(account: .sample).values == [])
            #expect(try view.oathCredentials().values == [])
            #expect(try view.count(of: .notification, where: .all) == 0)
        }
    }

    @Test(arguments: StoreKind.general)
    func savingReplacesTheRecordWithTheSameId(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        var push = try PushCredential.sample(secret: "another", createdAt: .distantPast)
        var oath = try OathCredential.sample(movingFactor: .counter(2))
        try store.write { view throws in
            try view.save(PushCredential.sample().filled())
            try view.save(push)
            try view.save(OathCredential.sample().filled())
            try view.save(oath)
        }
        // Saving a credential does not remove the date on which the account was added.
        push.account.addedAt = Date(timeIntervalSince1970: 1.5)
        oath.account.addedAt = push.account.addedAt
        try store.read { view throws in
            #expect(try view.pushCredentials().values == [push])
            #expect(try view.oathCredentials().values == [oath])
        }
    }

    @Test(arguments: StoreKind.general)
    func removingACredentialKeepsOtherRecordsWithTheSameId(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view throws in
            try view.save(PushCredential.sample("same"))
            try view.save(OathCredential.sample("same"))
            try view.save(PushNotification.sample(of: "same"))
        }
        try store.write { view throws in
            #expect(try view.remove(.push, where: RecordQuery(id: "same")) == 1)
            #expect(try view.remove(.push, where: RecordQuery(id: "same")) == 0)
        }
        try store.read { view throws in
            #expect(try view.pushCredential(id: "same") == nil)
            #expect(try view.oathCredentials().map(\.id) == ["same"])
            #expect(try view.count(of: .notification, where: .all) == 1)
        }
        try store.write { view throws in
            #expect(try view.remove(.oath, where: RecordQuery(id: "same")) == 1)
            #expect(try view.remove(.oath, where: RecordQuery(id: "same")) == 0)
        }
    }

    @Test(arguments: StoreKind.general)
    func credentialsAreSortedByDateAndThenById(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let ages: KeyValuePairs = ["b": 2.0, "Z": 2, "é": 2, "a": 3, "z": -1, "😀": 2]
        try store.write { view throws in
            for (id, age) in ages {
                let date = Date(timeIntervalSince1970: age)
                try view.save(PushCredential.sample(id, createdAt: date))
                try view.save(OathCredential.sample(id, createdAt: date))
            }
        }
        let order = ["z", "Z", "b", "é", "😀", "a"]
        try store.read { view throws in
            #expect(try view.pushCredentials().map(\.id) == order)
            #expect(try view.oathCredentials().map(\.id) == order)
            #expect(try view.pushCredentials(account: .sample).map(\.id) == order)
            #expect(try view.oathCredentials(account: .sample).map(\.id) == order)
        }
    }

    @Test(arguments: StoreKind.general)
    func accountsWithTheSameLegacyKeyAreKeptApart(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let accounts = [
            AccountKey(issuer: "A-B", accountName: "C"), AccountKey(issuer: "A", accountName: "B-C"),
            AccountKey(issuer: "", accountName: "A-B-C"), AccountKey(issuer: "a-b", accountName: "c"),
        ]
        try store.write { view throws in
            for (index, account) in accounts.enumerated() {
                try view.save(PushCredential.sample("\(index)", account: account))
                try view.save(OathCredential.sample("\(index)", account: account))
            }
        }
        try store.read { view throws in
            for (index, account) in accounts.enumerated() {
                #expect(try view.pushCredentials(account: account).map(\.id) == ["\(index)"])
                #expect(try view.oathCredentials(account: account).map(\.id) == ["\(index)"])
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountIsASeparateRecord(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        var account = AccountProfile(.sample)
        account.fill(text: "text", date: Date(timeIntervalSince1970: 1.5))
        try store.write { try $0.save(account) }
        try store.read { view throws in
            #expect(try view.account(.sample) == account)
            #expect(try view.account(.other) == nil)
            #expect(try view.accounts().values == [account])
            #expect(try !view.hasCredentials(.sample))
        }
        #expect(try store.write { try $0.removeAccount(.sample) })
        #expect(try store.read { try $0.account(.sample) } == nil)
    }

    @Test(arguments: StoreKind.general)
    func aChangeOfAnAccountAppliesToAllItsCredentials(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view in
            for id in ["1", "2"] { try view.save(PushCredential.sample(id)) }
            try view.save(OathCredential.sample())
            try view.save(PushCredential.sample("another", account: .other))
            var renamed = try #require(try view.pushCredential(id: "1"))
            renamed.displayIssuer = "Mine"
            renamed.lock(policy: "biometricAvailable")
            try view.save(renamed)
        }
        try store.read { view throws in
            #expect(try view.pushCredentials(account: .sample).map(\.displayIssuer) == ["Mine", "Mine"])
            #expect(try view.oathCredential(id: "oath")?.lockingPolicy == "biometricAvailable")
            #expect(try view.pushCredential(id: "another")?.account == AccountProfile(.other))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anAccountIsDeletedOnlyAfterItsLastCredential(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view in
            try view.save(PushCredential.sample("1").filled())
            try view.save(OathCredential.sample("2").filled())
            try view.dismissPushCredential(id: "1")
            try view.forgetAccountWithoutCredentials(.sample)
        }
        #expect(try store.read { try $0.account(.sample) } != nil)
        try store.write { view in
            try view.remove(.oath, where: RecordQuery(id: "2"))
            try view.forgetAccountWithoutCredentials(.sample)
        }
        #expect(try store.read { try $0.account(.sample) } == nil)
    }
}
