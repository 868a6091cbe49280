import FRAuthenticator
import Foundation
import LegacyStore
import Testing

@Suite("Archives with unexpected fields")
struct MisfitTests {
    /// Returns the account that an archive contains.
    ///
    /// The test chooses the archive's fields.
    private func account(_ changes: [String: Any?]) throws -> Account? {
        var fields: [String: Any] = ["issuer": "A", "accountName": "b", "timeAdded": 1.5]
        for (key, value) in changes { fields[key] = value }
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(Misfit(fields), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.setClass(Account.self, forClassName: NSStringFromClass(Misfit.self))
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.requiresSecureCoding = true
        return unarchiver.decodeObject(of: Account.self, forKey: NSKeyedArchiveRootObjectKey)
    }

    @Test func anAccountCanBeDecodedFromItsRequiredMembers() throws {
        let account = try #require(try account([:]))
        #expect((account.issuer, account.accountName, account.lock) == ("A", "b", false))
        #expect(account.timeAdded.timeIntervalSince1970 == 1.5)
        #expect(account.policies == nil)
    }

    @Test(arguments: ["issuer", "accountName", "timeAdded"])
    func withoutARequiredFieldThereIsNoObject(_ key: String) throws {
        #expect(try account([key: nil]) == nil)
    }

    @Test(arguments: ["issuer", "accountName", "policies"])
    func aNumberInPlaceOfATextCausesNoTrap(_ key: String) throws {
        let read = try account([key: 7])
        #expect(read == nil || key == "policies")
    }

    @Test(arguments: ["timeAdded", "lock"])
    func aTextInPlaceOfANumberCausesNoTrap(_ key: String) throws {
        // If the field contains a string, Foundation reads 0 on Linux and fails on other platforms.
        let read = try account([key: "seven"])
        #expect(read == nil || read?.lock == false)
        #expect(read == nil || key == "lock" || read?.timeAdded == Date(timeIntervalSince1970: 0))
    }
}

/// Writes an archive with the fields that a test chooses; the test then decodes the archive as a legacy class.
final class Misfit: NSObject, NSCoding {
    private let fields: [String: Any]

    init(_ fields: [String: Any]) {
        self.fields = fields
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        for (key, value) in fields {
            switch value {
            case let number as Int: coder.encode(number, forKey: key)
            case let number as Double: coder.encode(number, forKey: key)
            case let text as String: coder.encode(NSString(string: text), forKey: key)
            default: coder.encode(nil as NSString?, forKey: key)
            }
        }
    }
}
