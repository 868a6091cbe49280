import Foundation

@testable import LegacyStore

/// Returns an item that contains this JSON.
func jsonItem(_ json: String, _ service: LegacyService) -> LegacyItem {
    LegacyItem(position: .index(0), service: service, key: "key", payload: .json(Data(json.utf8)))
}

/// Returns the fields of a JSON object, in a form that tests can compare.
func fields(_ json: Data) throws -> NSDictionary? {
    try JSONSerialization.jsonObject(with: json) as? NSDictionary
}
