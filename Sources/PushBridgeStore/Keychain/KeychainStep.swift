import Foundation

/// One item as it is to be; carrying a step out again changes nothing.
struct KeychainStep: Codable, Equatable {
    let service: String
    let account: String
    /// The item's value; `nil` if there is to be no item.
    let data: Data?
}
