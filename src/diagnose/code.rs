//! The finding codes: one enum is the list of pages, the JSON codes and the documentation.
//!
//! Numbers are never reused. 1xxx allocation, 2xxx claims and frontends, 3xxx backends,
//! 4xxx announcement, 7xxx status writers, 9xxx the tool, permissions and versions.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Declares the codes with a one-line description and a page each.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $title:literal;)*) => {
        /// A finding's code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* #[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The code as it is printed, `VIPnnnn`.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => concat!("VIP", $number),)* }
            }

            /// What it means, in one line.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// The long page of `kubectl vipctl code`.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("pages/VIP", $number, ".md")),)* }
            }
        }
    };
}

codes! {
    WithheldSamePort = "1101", "whole VIP withheld: same port and protocol as a sharer";
    WithheldIncompatible = "1102", "whole VIP withheld: incompatible with a sharer in another way";
    NoPool = "1103", "no pool matches the Service";
    PoolFull = "1104", "every matching pool is full";
    OutsidePools = "1105", "the requested address is in no pool that may give it";
    NobodyResponsible = "1106", "nobody is responsible for the Service's address";
    NotHandledYet = "1107", "LB-IPAM has not handled the Service";
    SharedElsewhere = "1108", "the Service did not join its sharing key's address and silently got another one";
    AddressTaken = "1109", "the requested address is held by a Service that does not share it";
    PartlyAllocated = "1110", "some of the requested addresses are missing";
    RejectedClaim = "2101", "port owned by another Service, claim rejected";
    StuckClaim = "2102", "stuck claim: no owner, and the claim is never tried again";
    SplitOwner = "2103", "owners differ between nodes";
    NotProgrammed = "2104", "the frontend's row is not Done";
    MapDiffers = "2105", "table and BPF map differ";
    AgentLags = "2106", "an agent or its table lags behind";
    NotMadeByDesign = "2107", "the Service itself says that Cilium shall make no frontend for it";
    Unclaimed = "2108", "no Service claims the port";
    BeingDeleted = "2109", "the Service is being deleted";
    NoBackends = "3101", "no active backend";
    LocalWithoutBackend = "3102", "traffic policy Local, and no backend on the announcing node";
    NotAnnounced = "4101", "nothing announces the address";
    LeaseNotHeld = "4102", "no living node holds the announcement's Lease";
    StatusCleared = "7101", "satisfied but without address: another writer clears the status";
    NoExec = "9101", "the agents could not be asked";
    NodeSilent = "9102", "some nodes did not answer";
    UnsupportedVersion = "9103", "this Cilium version is outside what was tested";
    ApiUnreadable = "9104", "parts of the API could not be read";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl FromStr for Code {
    type Err = String;

    /// Reads `VIP2102`, `vip2102` or `2102`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let upper = text.to_ascii_uppercase();
        let digits = upper.strip_prefix("VIP").unwrap_or(&upper);
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.id().ends_with(digits) && digits.len() == 4)
            .ok_or_else(|| format!("'{text}' is not a code of this program; `kubectl vipctl code` lists them"))
    }
}
