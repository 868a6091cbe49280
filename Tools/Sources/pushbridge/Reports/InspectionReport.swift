import LegacyStore
import PushBridgeCore

/// What `inspect` says.
struct InspectionReport {
    let name: String
    let container: String
    private(set) var kinds: [LegacyRecordKind: Count] = [:]
    private(set) var accounts: [AccountKey: AccountLine] = [:]
    private(set) var problems: [Problem] = []

    /// How many records of a kind there are, and how many can be read.
    struct Count {
        var records = 0
        var readable = 0
    }

    /// A record that cannot be used.
    struct Problem: Encodable {
        let kind: LegacyRecordKind
        let key: String
        let reason: String
    }

    /// Reads the whole store once.
    init(_ source: any LegacySource, name: String) throws {
        self.name = name
        container = source.container
        for item in try source.items() { note(try item.get()) }
    }

    /// How many records there are.
    var records: Int { kinds.values.reduce(0) { $0 + $1.records } }

    /// The status to end with.
    var status: ExitStatus { problems.isEmpty ? .success : .needsAttention }

    private mutating func note(_ item: LegacyItem) {
        do throws(LegacyRecordError) {
            let decoded = try item.decoded()
            kinds[decoded.record.kind, default: Count()].records += 1
            kinds[decoded.record.kind, default: Count()].readable += 1
            note(decoded)
            guard let fault = item.signingFault(decoded) else { return }
            problems.append(Problem(kind: decoded.record.kind, key: item.key, reason: fault.reason))
        } catch {
            kinds[item.presumedKind, default: Count()].records += 1
            problems.append(Problem(kind: item.presumedKind, key: item.key, reason: error.reason))
        }
    }

    private mutating func note(_ decoded: DecodedItem) {
        if let account = decoded.embeddedAccount {
            accounts[account.profile.key, default: AccountLine()].note(account)
        }
        switch decoded.record {
        case .account(let account):
            accounts[account.profile.key, default: AccountLine()].note(account)
        case .mechanism(let mechanism):
            accounts[mechanism.account, default: AccountLine()].mechanisms[mechanism.kind, default: 0] += 1
        case .notification, .deviceToken:
            break
        }
    }
}

/// What is known of one account.
struct AccountLine {
    var hasRecord = false
    var isLocked = false
    var mechanisms: [LegacyRecordKind: Int] = [:]

    mutating func note(_ account: LegacyAccount) {
        hasRecord = true
        isLocked = account.profile.isLocked
    }
}
