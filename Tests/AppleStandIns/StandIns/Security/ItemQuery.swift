import Foundation

/// The parsed dictionary of a call of `SecItemAdd` or a related function.
///
/// The initialiser rejects the dictionaries that Apple's functions reject.
struct ItemQuery {
    /// The purpose of the dictionary; each purpose allows different keys.
    enum Purpose {
        case adding
        case matching
        case changing
    }

    /// Whether the item is in the data protection keychain (always on iOS); otherwise it is in the file-based keychain
    /// of macOS.
    let isDataProtected: Bool
    let service: String?
    let account: String?
    let group: String?
    let accessibility: String?
    /// Whether the owner has to authenticate before the item is read.
    let asksOwner: Bool
    let data: Data?
    let generic: Data?
    let wantsAttributes: Bool
    let wantsData: Bool
    let wantsAll: Bool

    init(_ dictionary: NSDictionary, for purpose: Purpose) throws(Refusal) {
        try Self.checkNames(in: dictionary, for: purpose)
        guard try dictionary.text(kSecClass) == "\(kSecClassGenericPassword)" else {
            throw Refusal(errSecParam)
        }
        isDataProtected = try dictionary.flag(kSecUseDataProtectionKeychain)
        service = try dictionary.text(kSecAttrService)
        account = try dictionary.text(kSecAttrAccount)
        group = try dictionary.text(kSecAttrAccessGroup)
        let access = dictionary.object(forKey: kSecAttrAccessControl) as? SecAccessControl
        // An access control contains the accessibility, so a dictionary must not contain both.
        guard access == nil || dictionary.object(forKey: kSecAttrAccessible) == nil else {
            throw Refusal(errSecParam)
        }
        let named = try dictionary.text(kSecAttrAccessible)
        accessibility = access?.protection ?? named
        asksOwner = access.map { !$0.flags.isEmpty } ?? false
        guard accessibility.map(Self.accessibilities.contains) ?? true else { throw Refusal(errSecParam) }
        data = try dictionary.data(kSecValueData)
        generic = try dictionary.data(kSecAttrGeneric)
        wantsAttributes = try dictionary.flag(kSecReturnAttributes)
        wantsData = try dictionary.flag(kSecReturnData)
        let limit = try dictionary.text(kSecMatchLimit)
        guard limit.map({ ["m_LimitOne", "m_LimitAll"].contains($0) }) ?? true else {
            throw Refusal(errSecParam)
        }
        wantsAll = limit == "m_LimitAll"
    }

    /// Returns the new value and generic data of an update; the stand-in rejects changes of other attributes.
    static func changes(in attributes: NSDictionary) throws(Refusal) -> (data: Data, generic: Data?) {
        guard attributes.object(forKey: kSecClass) == nil else { throw Refusal(errSecParam) }
        let allowed = ["\(kSecValueData)", "\(kSecAttrGeneric)"]
        for name in attributes.allKeys where !allowed.contains("\(name)") {
            throw Refusal(errSecNoSuchAttr)
        }
        guard let data = try attributes.data(kSecValueData) else { throw Refusal(errSecParam) }
        return (data, try attributes.data(kSecAttrGeneric))
    }

    private static func checkNames(in dictionary: NSDictionary, for purpose: Purpose) throws(Refusal) {
        let misplaced: Set<String> =
            switch purpose {
            case .adding: ["m_Limit"]
            case .matching: ["v_Data"]
            case .changing: ["m_Limit", "r_Attributes", "r_Data", "v_Data"]
            }
        for name in dictionary.allKeys.map({ "\($0)" }) {
            guard names.contains(name) else { throw Refusal(errSecNoSuchAttr) }
            guard !misplaced.contains(name) else { throw Refusal(errSecParam) }
        }
    }

    private static let names: Set<String> = [
        "class", "nleg", "accc", "u_AuthCtx", "agrp", "pdmn", "acct", "svce", "gena", "v_Data", "m_Limit",
        "r_Attributes", "r_Data",
    ]
    private static let accessibilities: Set<String> = ["ak", "aku", "ck", "cku", "akpu"]
}

extension NSDictionary {
    fileprivate func text(_ name: CFString) throws(Refusal) -> String? {
        guard let value = object(forKey: name) else { return nil }
        guard let text = value as? String else { throw Refusal(errSecParam) }
        return text
    }

    fileprivate func data(_ name: CFString) throws(Refusal) -> Data? {
        guard let value = object(forKey: name) else { return nil }
        guard let data = value as? Data else { throw Refusal(errSecParam) }
        return data
    }

    fileprivate func flag(_ name: CFString) throws(Refusal) -> Bool {
        guard let value = object(forKey: name) else { return false }
        guard let flag = value as? Bool else { throw Refusal(errSecParam) }
        return flag
    }
}
